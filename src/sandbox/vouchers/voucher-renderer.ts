/**
 * Prints vouchers. What all slips have in common (font, emblem, stamp, frame) is made with the first of them;
 * from then on a slip costs about a millisecond. The same order always has the same bytes.
 */
import { createHash } from 'node:crypto';

import { CAPITAL_DIGITS, CAPITAL_UNITS } from './capital-amount.ts';
import { fontResources } from './slip-canvas.ts';
import type { FontSet } from './slip-canvas.ts';
import { DETAIL_SIZE, DETAIL_TEXTS, detailContent } from './detail-page.ts';
import { addLogo } from './logo.ts';
import { PdfFile, textString } from './slip-pdf.ts';
import type { PdfHead } from './slip-pdf.ts';
import { charactersOf, embedFont, settable, sharedCharacters, SlipFace } from './slip-font.ts';
import type { EmbeddedFont } from './slip-font.ts';
import { addFrame, BANK, SLIP_SIZE, SLIP_TEXTS, slipContent } from './slip-page.ts';
import type { Imprint } from './slip-page.ts';
import { SLIP_TITLES } from './slip.ts';
import type { Slip, SlipParty } from './slip.ts';
import { addStamp, STAMP_TEXTS } from './stamp.ts';

/** What the names in the sandbox's scenarios and the remarks of its orders are made of. */
const COMMON_CHARACTERS =
  '示例有限公司商贸食品文化物流科技家居服饰农业云杉星河青禾海棠松涛朝露远山白鹭银杏晨曦南屏北辰' +
  '赵钱孙李周吴郑王冯陈褚卫测甲乙丙丁戊己庚辛壬癸户付款方货款';

interface Shared {
  face: SlipFace;
  head: PdfHead;
  font: EmbeddedFont;
  logo: number;
  stamp: number;
  frame: number;
}

export interface Printing {
  copy: { no: number; of: number };
  pages: number;
}

/** Entries that are added to the catalog and to the first page: what no honest slip has. */
export interface Extension {
  catalog?: string;
  page?: string;
}

/** The same for every sandbox of a process. */
let sharedByAll: Shared | undefined;

/** @param extend writes further objects before the catalog */
export function printVoucher(
  slip: Slip,
  how: Printing,
  extend: (file: PdfFile) => Extension = () => ({}),
): Buffer {
  const shared = (sharedByAll ??= sharedParts());
  const said = cleaned(shared.face, slip);
  const file = new PdfFile(shared.head);
  const fonts = [{ name: 'F1', font: shared.font }];
  const isRare = (character: string): boolean => !shared.font.codes.has(character);
  const rare = charactersOf(...textsOf(said).map((text) => Array.from(text).filter(isRare).join('')));
  if (rare.length > 0) fonts.push({ name: 'F2', font: embedFont(file, shared.face, rare) });
  const set = { face: shared.face, fonts };
  const extension = extend(file);
  const pages = file.reserve();
  const kids = addPages(file, shared, { set, slip: said, how, pages, entries: extension.page ?? '' });
  file.write(pages, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((no) => `${no} 0 R`).join(' ')}]>>`);
  const catalog = file.add(`<</Type/Catalog/Pages ${pages} 0 R/Lang(zh-CN)${extension.catalog ?? ''}>>`);
  const info = file.add(informationOf(said));
  return file.close(`/Root ${catalog} 0 R/Info ${info} 0 R`);
}

function sharedParts(): Shared {
  const face = new SlipFace();
  const file = new PdfFile();
  const texts = [SLIP_TEXTS, DETAIL_TEXTS, STAMP_TEXTS, BANK, SLIP_TITLES].map((words) =>
    Object.values(words).flat(2).join(''),
  );
  const characters = sharedCharacters(COMMON_CHARACTERS, CAPITAL_DIGITS, CAPITAL_UNITS, ...texts);
  const font = embedFont(file, face, characters);
  const set: FontSet = { face, fonts: [{ name: 'F1', font }] };
  const logo = addLogo(file);
  const stamp = addStamp(file, set);
  const frame = addFrame(file, set, logo);
  return { face, font, logo, stamp, frame, head: file.head() };
}

function addPages(
  file: PdfFile,
  shared: Shared,
  of: { set: FontSet; slip: Slip; how: Printing; pages: number; entries: string },
): number[] {
  const { set, slip, how } = of;
  const forms = `/Frame ${shared.frame} 0 R/Stamp ${shared.stamp} 0 R/Logo ${shared.logo} 0 R`;
  const resources = `/Resources<<${fontResources(set)}/XObject<<${forms}>>>>`;
  const imprint = { ...imprintOf(slip, how), ...how };
  return Array.from({ length: how.pages }, (_, place) => {
    const isSlip = place === 0;
    const { width, height } = isSlip ? SLIP_SIZE : DETAIL_SIZE;
    const text = isSlip
      ? slipContent(set, slip, imprint)
      : detailContent(set, slip, { ...imprint, page: place + 1 });
    const content = file.addStream('', text);
    return file.add(
      `<</Type/Page/Parent ${of.pages} 0 R/MediaBox[0 0 ${width} ${height}]${resources}` +
        `/Contents ${content} 0 R${isSlip ? of.entries : ''}>>`,
    );
  });
}

/** The number of the slip and the code by which a bank knows it again. */
function imprintOf(slip: Slip, { copy }: Printing): Pick<Imprint, 'slipNo' | 'code'> {
  const facts = [slip.kind, slip.orderNo, slip.outOrderNo, slip.amountFen, slip.time, copy.no].join('|');
  const digest = createHash('sha256').update(facts).digest();
  const tail = String(digest.readUInt32BE(0) % 100_000_000).padStart(8, '0');
  const code = digest.toString('hex', 4, 12).toUpperCase();
  return {
    slipNo: `HD${slip.time.slice(0, 10).replaceAll('-', '')}${tail}`,
    code: code.replace(/(.{4})(?=.)/g, '$1-'),
  };
}

function informationOf(slip: Slip): string {
  const made = slip.time.replace(/\D/g, '');
  const title = `${BANK.name}${SLIP_TEXTS.title} ${slip.orderNo}`;
  const subject = `${SLIP_TITLES[slip.kind]} ${slip.orderNo} ${slip.outOrderNo}`.trimEnd();
  return (
    `<</Title${textString(title)}/Subject${textString(subject)}/Author${textString(BANK.name)}` +
    `/Producer(Sandbox voucher press)/CreationDate(D:${made}+08'00')>>`
  );
}

/** The longest text that is read from an order; more does not fit on a slip. */
const TEXT_LENGTH_MAX = 400;

function cleaned(face: SlipFace, slip: Slip): Slip {
  const clean = (text: string): string => settable(face, text.slice(0, TEXT_LENGTH_MAX));
  const party = ({ name, accountNo, bank }: SlipParty): SlipParty => ({
    name: clean(name),
    accountNo: clean(accountNo),
    bank: clean(bank),
  });
  const { orderNo, outOrderNo, batchNo, remark, payer, payee } = slip;
  return {
    ...slip,
    orderNo: clean(orderNo),
    outOrderNo: clean(outOrderNo),
    batchNo: clean(batchNo),
    remark: clean(remark),
    payer: party(payer),
    payee: party(payee),
  };
}

function textsOf({ orderNo, outOrderNo, batchNo, remark, payer, payee }: Slip): string[] {
  const parties = [payer, payee].flatMap(({ name, accountNo, bank }) => [name, accountNo, bank]);
  return [orderNo, outOrderNo, batchNo, remark, ...parties];
}
