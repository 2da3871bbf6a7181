/** The proof's own remarks in Chinese, recognised by their form; what is not listed is shown as it is. */
import { VOUCHER_REMARKS_ZH } from '../../src/core/voucher-remarks-zh.ts';
import type { Terms } from './terms.ts';

const KINDS = { transfer: '划付', settlement: '结算', refund: '退款', withdrawal: '提现' };
const PLACES = {
  'before the cut': '在截止时点前',
  'after the cut': '在截止时点后、余额读取前',
  'after the balance': '在余额读取后',
};

/** `withdrawal W5 before the cut`: where an order may have taken effect. */
const placements = Object.entries(KINDS).flatMap(([kind, kindName]) =>
  Object.entries(PLACES).map(
    ([place, placeName]) => [new RegExp(`^${kind} (\\S+) ${place}$`), `${kindName} $1 ${placeName}`] as const,
  ),
);

export const remarksZh: Terms['remarks'] = [
  ...placements,
  [/^booked on (.*)$/, '企业账记在账户 $1'],
  [/^on the platform on (.*)$/, '平台记在账户 $1'],
  [/^interest, a late record or a return would look like this$/, '可能是利息、迟到的记录或退回'],
  [/^an unlisted fee, a transfer or a withdrawal would look like this$/, '可能是未列示的手续费、转账或提现'],
  [/^no longer listed between (\S+) and (\S+)$/, '平台在 $1 至 $2 之间不再列出'],
  [/^was (\d+) fen, dated ([^;]*)$/, '原为 $1 分，时间 $2'],
  [/^was (\d+) fen at (.*)$/, '原为 $1 分，时间 $2'],
  [/^(\w+) is not whole fen from 0 to 10\^15: "?(.*?)"?$/s, '$1无法解读，平台给出“$2”'],
  [/^amount (\d+), fee (\d+) (\S*), credited (\d+) fen$/, '金额 $1 分，手续费 $2 分（$3），实入 $4 分'],
  [
    /^no deposit listed for the period; the books have (\d+) the platform lacks$/,
    '平台本期没有列出充值；企业账有 $1 笔平台没有',
  ],

  // What an unexplained amount looks like.
  [
    /^interest, a late record, a refund or a return would look like this$/,
    '可能是利息、迟到的记录、退款或退回',
  ],
  [
    /^an unlisted fee, an unregistered transfer or withdrawal would look like this$/,
    '可能是未列示的手续费、未登记的划付或提现',
  ],
  [
    /^account (\S+), which replaced it, has the opposite amount: .*$/,
    '替换它的账户 $1 有相反的金额：余额似已转到该账户',
  ],
  [
    /^account (\S+), which it replaced, has the opposite amount: .*$/,
    '被它替换的账户 $1 有相反的金额：余额似由该账户转来',
  ],
  [
    /^a fee of (\S+) for each of (\d+) settlements, which no answer shows, would look like this$/,
    '可能是 $2 笔结算每笔 $1 元、平台未列示的手续费',
  ],
  [
    /^fees of (\d+) settlements, which no answer shows, may be part of it$/,
    '其中可能有 $1 笔结算未列示的手续费',
  ],
  [
    /^still open: this proof neither finds it nor tells what ended it$/,
    '仍未了结：本次证明未再发现，也不能说明其了结原因',
  ],
  [/^the books began with (-?\d+) fen at (\S+)$/, '企业账期初原为 $1 分（$2）'],
  [/^they state (-?\d+) fen at (\S+) now$/, '现为 $1 分（$2）'],
  [/^no entry states that any more$/, '现在没有期初分录'],
  [/^the baseline is taken in its place$/, '以基准代替'],
  [/^an opening entry is dated after this proof$/, '另有期初分录晚于本次核对'],
  // What was signed off of a period, and what stands there now.
  [/^signed off: entries (\d+), sum (-?\d+) fen$/, '签核时企业账 $1 笔，合计 $2 分'],
  [/^signed off: records (\d+), sum (-?\d+) fen$/, '签核时平台 $1 笔，合计 $2 分'],
  [/^now: (?:entries|records) (\d+), sum (-?\d+) fen$/, '现为 $1 笔，合计 $2 分'],
  [/^entry (\S+) of (-?\d+) fen was written since$/, '其后记入分录 $1（$2 分）'],
  [/^entry (\S+) of (-?\d+) fen was replaced since$/, '其后更正分录 $1（原 $2 分）'],
  [/^entry (\S+) of (-?\d+) fen was withdrawn since$/, '其后撤回分录 $1（$2 分）'],
  [/^record (\S*) ?of (-?\d+) fen was written since$/, '其后平台列出 $1（$2 分）'],
  [/^an adjustment that clears no open difference$/, '调整分录没有对应的未决差异'],
  // Orders and the books.
  [/^open on the platform since (.*)$/, '平台自 $1 起仍在途'],
  [/^ended on the platform without moving money$/, '平台已结束，未动资金'],
  [/^under way for more than (\d+) days$/, '在途超过 $1 天'],
  [/^its amount is (\d+) fen$/, '金额 $1 分'],
  [/^the platform does not show it: "(.*)"$/s, '平台不提供此单：“$1”'],
  [/^registered, but the platform does not know it$/, '已登记，平台查无此单'],
  [/^not asked for: the books name no batch$/, '企业账没有批次号，无法查询'],
  [
    /^one of (\d+) placements that explain the balance was taken: (.*)$/,
    '$1 种都能说明余额的订单位置中取了一种：$2',
  ],
  [/^frozen amount against what orders in flight hold$/, '两者应当相等'],
  [/^amounts in flight were (\w+) before and are (\w+) now$/, '在途金额原为 $1，现为 $2'],
  [/^amount (\d+), fee (.*) (\S*), paid out (\d+) fen$/, '金额 $1 分，手续费 $2 分（$3），实付 $4 分'],
  // A batch against its orders and the registry.
  [
    /^the batch says (\S+), but .* \(of (\d+): (\d+) moved, (\d+) failed, (\d+) open, (\d+) refunded\)$/,
    '批次状态 $1 与明细不符（共 $2 笔：成功 $3，失败 $4，在途 $5，已退款 $6）',
  ],
  [/^its orders name (\d+) payers: (.*)$/, '明细有 $1 个付款账户：$2'],
  [/^order (\S+) was registered with it and is not listed$/, '订单 $1 已登记，批次中没有'],
  [/^order (\S+) is listed and was not registered with it$/, '订单 $1 在批次中，但未登记'],
  [/^order (\S+): amount (\S+) was registered, (\S+) is stated$/, '订单 $1：登记金额 $2 元，平台金额 $3 元'],
  [/^order (\S+): payee (\S+) was registered, (\S+) is stated$/, '订单 $1：登记收款账户 $2，平台为 $3'],
  [/^order (\S+): payer (\S+) was registered, (\S+) is stated$/, '订单 $1：登记付款账户 $2，平台为 $3'],
  [/^order (\S+): amount (\d+) and (\d+) fen were both registered$/, '订单 $1：登记金额先后为 $2 分和 $3 分'],
  [/^order (\S+): payee (\S+) and (\S+) were both registered$/, '订单 $1：登记收款账户先后为 $2 和 $3'],
  [/^order (\S+): payer (\S+) and (\S+) were both registered$/, '订单 $1：登记付款账户先后为 $2 和 $3'],
  [/^and (\d+) more$/, '另有 $1 项'],
  [
    /^amount (\S+) was registered of the batch, its orders state (\S+)$/,
    '批次登记金额 $1 元，其订单合计 $2 元',
  ],
  [/^(\d+) fen were registered, (\d+) are stated$/, '登记 $1 分，平台为 $2 分'],
  [/^registered for (\S+), stated of (\S+)$/, '登记在账户 $1，平台记在账户 $2'],
  // An order against what it said before.
  [/^(\S+) was (-?\d+) fen and is (-?\d+) now$/, '$1 原为 $2 分，现为 $3 分'],
  [/^(\S+) was (\S+) and is (\S+) now$/, '$1 原为 $2，现为 $3'],
  [/^it belongs to (\S+) and now names (\S+)$/, '原属账户 $1，现称属 $2'],
  [/^it had failed and is (\S+) now$/, '原已失败，现为 $1'],
  [/^it had come back and is (\S+) now$/, '原已退回，现为 $1'],
  [/^it had moved its money and is (\S+) now$/, '原已成功，现为 $1'],
  [/^it was (\S+) and says so no more$/, '原为 $1，现不再如此'],
  [/^its settlement was done and is (\S+) now$/, '结算原已完成，现为 $1'],
  [/^its settlement was done and is not stated any more$/, '结算原已完成，现不再提供'],
  [/^(\w+) is not stated any more$/, '平台不再提供 $1'],
  [/^(\w+) is not stated$/, '平台未提供 $1'],
  [/^(batch: )?(\w+) "(.*)" is not known$/, '$2 的取值“$3”未知'],
  [/^it is listed (\d+) times in one answer$/, '同一应答中列出 $1 次'],
  [/^it is listed (\d+) times in one answer, alike each time$/, '同一应答中列出 $1 次，内容相同'],
  [/^nothing of it counts$/, '其内容均不计入'],
  [/^another record of the answer states its orderNo (\S+)$/, '同一应答中另有一条记录的平台订单号也是 $1'],
  [/^it is another order$/, '应为另一笔订单'],
  [/^(\S+) is an order of batch (\S+) already$/, '$1 已属批次 $2'],
  [/^it is (\S+), and refundAmount is not stated$/, '状态为 $1，但平台未提供 refundAmount'],
  [/^it is (\S+), and refundAmount is (\d+)$/, '状态为 $1，但 refundAmount 为 $2 分'],
  [
    /^refundAmount is (\d+) fen, and no state is no word of a refund$/,
    'refundAmount 为 $1 分，但平台未提供状态',
  ],
  [
    /^refundAmount is (\d+) fen, and (.+) is no word of a refund$/,
    'refundAmount 为 $1 分，但状态 $2 不表示退款',
  ],
  [
    /^refundAmount is (\d+) fen, more than its amount of (\d+) fen$/,
    'refundAmount 为 $1 分，超过订单金额 $2 分',
  ],
  [/^its batch does not list it any more$/, '所属批次不再列出'],
  [/^the platform does not know its number any more$/, '平台不再认得此单号'],
  [/^(\w+) and (\w+) differ$/, '$1 与 $2 不一致'],
  [/^(\w+) is missing$/, '缺少 $1'],
  [/^the books of the company's database were not taken in: ?$/, '公司数据库的账没有取入：'],
  // What the company's database no longer yields (`src/intake/pull/whole-books.ts`).
  [/^(\S+) yields no row, which proves no books to be empty$/, '$1 没有查出任何行，不能说明账上为空'],
  [
    /^(\S+) no longer yields the row that was changed last, at (.+): the database was set back, or the row was deleted; nothing is whole until it has a newer one$/,
    '$1 不再查出最后更改的一行（$2）：数据库恢复到了更早，或该行已删除；有更新的行之前，账不算完整',
  ],
  [
    /^(\S+) no longer yields an entry that was pulled and booked from (\S+) to (\S+); where they are to leave the books: (.*)$/,
    '$1 不再查出已取入的 1 笔分录（$2 至 $3）；确要从账中去掉：$4',
  ],
  [
    /^(\S+) no longer yields (\d+) entries that were pulled and booked from (\S+) to (\S+); where they are to leave the books: (.*)$/,
    '$1 不再查出已取入的 $2 笔分录（$3 至 $4）；确要从账中去掉：$5',
  ],
  // Why the voucher of an order is not there, or cannot be read.
  ...VOUCHER_REMARKS_ZH,
  [/^no voucher type$/, '没有对应的凭证类型'],
  [/^get\/transFiles: unreadable answer.*$/s, '平台的应答无法解读'],
];
