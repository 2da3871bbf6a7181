/**
 * Why the voucher of an order is not there or cannot be read, in Chinese: bundle and workbook say the same. What is
 * stored is the English sentence; it is recognised by its form, and `$1` is what was in it.
 */
export const VOUCHER_REMARKS_ZH: readonly (readonly [RegExp, string])[] = [
  [/^the platform refused: (.*)$/s, '平台拒绝：$1'],
  [/^the answer holds no file$/, '平台的应答没有文件'],
  [/^the answer holds (\d+) files, more than (\d+)$/, '平台的应答有 $1 个文件，超过 $2 个'],
  [/^it is encrypted$/, '文件已加密'],
  [/^it has no page$/, '文件没有页面'],
  [/^it has no catalog$/, '文件没有目录对象'],
  [/^a page is missing$/, '缺少页面'],
  [/^the content of a page is missing$/, '页面内容缺失'],
  [/^a page has no size that can be shown$/, '页面尺寸无法显示'],
  [/^a part of it cannot be unpacked$/, '部分内容无法解压'],
  [/^an object of a page cannot be read$/, '页面中的对象无法读取'],
  [/^it cannot be read: .*$/s, '文件无法读取'],
  [/^it has more than (\d+) pages$/, '超过 $1 页'],
  [/^its page tree leads back to itself$/, '页面树循环'],
  [/^its objects are nested too deeply$/, '对象嵌套过深'],
  [/^it is nested too deeply or asks for too much$/, '嵌套过深或占用过多资源'],
  [/^it unpacks to more than (\d+) MB$/, '解压后超过 $1 MB'],
  [/^it holds a picture of excessive size$/, '图片尺寸过大'],
  [/^it could not be opened within ([\d.]+) s$/, '在 $1 秒内无法打开'],
  [/^it took more than (\d+) MB to open$/, '打开时占用内存超过 $1 MB'],
  [/^it made the reader fail$/, '打开时读取程序异常终止'],
  [/^it does not begin with %PDF-$/, '不以 %PDF- 开头'],
  [/^it does not end with %%EOF$/, '不以 %%EOF 结尾'],
  [/^something follows its end$/, '文件结尾之后另有内容'],
  [/^the file is empty$/, '文件为空'],
  [/^the file is not strict Base64$/, '不是规范的 Base64'],
  [/^the file is larger than (\d+) bytes$/, '超过 $1 字节'],
];
