/** The slip itself: half a sheet of A4 with a table of who paid whom, what, when and why. */
import { yuanForPeople } from '../../core/fen.ts';
import { capitalAmount } from './capital-amount.ts';
import { Canvas, fontResources, rounded } from './slip-canvas.ts';
import type { FontSet } from './slip-canvas.ts';
import type { PdfFile } from './slip-pdf.ts';
import { SLIP_TITLES } from './slip.ts';
import type { Slip, SlipParty } from './slip.ts';

export const SLIP_SIZE = { width: 595.28, height: 420.94 };

const [LEFT, MIDDLE, RIGHT] = [40, 297.64, 555.28];
const [TOP, ROW] = [338, 26];
/** Widths of the upright cells of the parties, and of the labels beside and below them. */
const [UPRIGHT, LABEL] = [22, 74];

export const BANK = { name: '示例银行', latin: 'SAMPLE BANK', branch: '示例银行虚拟账簿中心' };
export const SLIP_TEXTS = {
  title: '电子回单',
  sides: ['付款方', '收款方'],
  party: ['户名', '账号', '开户行'],
  pairs: [
    ['金额（小写）', '金额（大写）'],
    ['手续费', '实际到账'],
    ['平台订单号', '商户订单号'],
    ['交易时间', '业务类型'],
  ],
  remark: '附言',
  number: '回单编号：',
  currency: '币种：人民币 CNY',
  code: '验证码：',
  notes: [
    '本回单由系统自动生成，请凭验证码核验真伪；同一笔交易的回单可能重复打印，请勿重复记账。',
    '沙箱仿真数据：户名、账号、金额均为虚构，不作为付款或收款凭证。',
  ],
  page: '第页，共页',
  copies: ['第一联 付款方', '第二联 收款方', '第三联 记账', '第四联 存查'],
  yuan: '人民币￥、。',
  fees: ['含于金额', '账户另付', '无'],
};

export const BLUE = '0.07 0.24 0.47';
const BLACK = '0.13 0.13 0.15';

/** Lines, labels and the bank's name: the same on every slip. @returns the number of the form */
export function addFrame(file: PdfFile, set: FontSet, logo: number): number {
  const canvas = new Canvas(set);
  drawHeading(canvas, set);
  drawGrid(canvas);
  drawLabels(canvas);
  drawNotes(canvas);
  return file.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 ${SLIP_SIZE.width} ${SLIP_SIZE.height}]` +
      `/Resources<</XObject<</Logo ${logo} 0 R>>${fontResources(set)}>>`,
    canvas.content(),
  );
}

function drawHeading(canvas: Canvas, set: FontSet): void {
  canvas.draw('q 36 0 0 36 40 362 cm /Logo Do Q', `${BLUE} rg ${BLUE} RG`);
  const nameWidth = new Canvas(set).widthOf(BANK.name, 15);
  canvas.bold(BANK.name, { x: 84 + nameWidth / 2, y: 381, size: 15, stroke: 0.35 });
  canvas.text(BANK.latin, { x: 84.5, y: 368, size: 7.2 });
  canvas.bold(SLIP_TEXTS.title, { x: MIDDLE, y: 371, size: 20, stroke: 0.5 });
  canvas.draw('1.4 w');
  canvas.line({ x: LEFT, y: 346.5 }, { x: RIGHT, y: 346.5 });
  canvas.draw('0.4 w');
  canvas.line({ x: LEFT, y: 344 }, { x: RIGHT, y: 344 });
  canvas.text(SLIP_TEXTS.currency, { x: LEFT, y: 351, size: 7.5 });
}

const ROWS = 3 + SLIP_TEXTS.pairs.length + 1;
const BOTTOM = TOP - ROWS * ROW;

function drawGrid(canvas: Canvas): void {
  canvas.draw('q 0.925 0.95 0.98 rg');
  const parties = TOP - 3 * ROW;
  canvas.draw(
    `${LEFT} ${parties} ${LABEL} ${3 * ROW} re f`,
    `${MIDDLE} ${parties} ${LABEL} ${3 * ROW} re f`,
    `${LEFT} ${BOTTOM} ${LABEL} ${parties - BOTTOM} re f`,
    `${MIDDLE} ${BOTTOM + ROW} ${LABEL} ${parties - BOTTOM - ROW} re f Q`,
    `0.5 w ${BLUE} RG`,
  );
  for (let row = 1; row < ROWS; row++) {
    const y = TOP - row * ROW;
    if (row < 3) {
      canvas.line({ x: LEFT + UPRIGHT, y }, { x: MIDDLE, y });
      canvas.line({ x: MIDDLE + UPRIGHT, y }, { x: RIGHT, y });
    } else canvas.line({ x: LEFT, y }, { x: RIGHT, y });
  }
  for (const x of [LEFT + UPRIGHT, MIDDLE + UPRIGHT]) canvas.line({ x, y: TOP }, { x, y: parties });
  canvas.line({ x: LEFT + LABEL, y: TOP }, { x: LEFT + LABEL, y: BOTTOM });
  for (const x of [MIDDLE, MIDDLE + LABEL]) canvas.line({ x, y: TOP }, { x, y: BOTTOM + ROW });
  canvas.draw(`1 w ${LEFT} ${BOTTOM} ${rounded(RIGHT - LEFT)} ${TOP - BOTTOM} re S`);
}

/** The base line of a row. */
function baseOf(row: number): number {
  return TOP - (row + 1) * ROW + 9.5;
}

function drawLabels(canvas: Canvas): void {
  canvas.draw(`${BLUE} rg`);
  for (const [side, x] of [LEFT, MIDDLE].entries()) {
    for (const [place, letter] of Array.from(SLIP_TEXTS.sides[side] ?? '').entries()) {
      canvas.centred(letter, { x: x + UPRIGHT / 2, y: TOP - 22 - place * 21, size: 10.5 });
    }
    for (const [row, label] of SLIP_TEXTS.party.entries()) {
      canvas.centred(label, { x: x + (UPRIGHT + LABEL) / 2, y: baseOf(row), size: 9 });
    }
    for (const [row, pair] of SLIP_TEXTS.pairs.entries()) {
      canvas.centred(pair[side] ?? '', { x: x + LABEL / 2, y: baseOf(3 + row), size: 9 });
    }
  }
  canvas.centred(SLIP_TEXTS.remark, { x: LEFT + LABEL / 2, y: baseOf(ROWS - 1), size: 9 });
}

function drawNotes(canvas: Canvas): void {
  canvas.draw('0.42 0.45 0.5 rg');
  for (const [place, note] of SLIP_TEXTS.notes.entries()) {
    canvas.text(note, { x: LEFT, y: 82 - place * 11, size: 7 });
  }
}

/** What is printed beside the facts of the order. */
export interface Imprint {
  slipNo: string;
  code: string;
  /** Which copy of how many files this is. */
  copy: { no: number; of: number };
  pages: number;
}

/** Forms and pictures are named as the page's resources have them. */
export function slipContent(set: FontSet, slip: Slip, imprint: Imprint): string {
  const canvas = new Canvas(set);
  canvas.draw('q /Frame Do Q', `${BLUE} rg`);
  canvas.centred(SLIP_TITLES[slip.kind], { x: MIDDLE, y: 352, size: 10 });
  canvas.right(`${SLIP_TEXTS.number}${imprint.slipNo}`, { x: RIGHT, y: 381, size: 8 });
  const copy = SLIP_TEXTS.copies[(imprint.copy.no - 1) % SLIP_TEXTS.copies.length] ?? '';
  if (imprint.copy.of > 1) canvas.right(copy, { x: RIGHT, y: 368, size: 8 });
  if (imprint.pages > 1) canvas.right(`第 1 页，共 ${imprint.pages} 页`, { x: RIGHT, y: 351, size: 7.5 });
  canvas.draw(`${BLACK} rg`);
  drawParty(canvas, slip.payer, LEFT);
  drawParty(canvas, slip.payee, MIDDLE);
  drawFacts(canvas, slip);
  canvas.text(`${SLIP_TEXTS.code}${imprint.code}`, { x: LEFT, y: 102, size: 9.5 });
  canvas.draw('q 1 0 0 1 492 100 cm /Stamp Do Q');
  return canvas.content();
}

const PADDING = 6;
const VALUE_WIDTH = MIDDLE - LEFT - LABEL - 2 * PADDING;

function drawParty(canvas: Canvas, party: SlipParty, left: number): void {
  for (const [row, text] of [party.name, party.accountNo, party.bank].entries()) {
    canvas.fitted(text, { x: left + LABEL + PADDING, y: baseOf(row), size: 9, width: VALUE_WIDTH });
  }
}

function drawFacts(canvas: Canvas, slip: Slip): void {
  const [inside, beside, none] = SLIP_TEXTS.fees;
  const feeWords = slip.feeFen === 0n ? none : slip.feeType === 'ORDER' ? inside : beside;
  const values = [
    [`￥${yuanForPeople(slip.amountFen)}`, `人民币${capitalAmount(slip.amountFen)}`],
    [
      slip.feeFen === 0n ? `￥0.00（${feeWords}）` : `￥${yuanForPeople(slip.feeFen)}（${feeWords}）`,
      `￥${yuanForPeople(slip.realFen)}`,
    ],
    [slip.orderNo, slip.outOrderNo === '' ? '-' : slip.outOrderNo],
    [slip.time, SLIP_TITLES[slip.kind]],
  ];
  for (const [row, pair] of values.entries()) {
    for (const [side, text] of pair.entries()) {
      const x = (side === 0 ? LEFT : MIDDLE) + LABEL + PADDING;
      canvas.fitted(text, { x, y: baseOf(3 + row), size: 9, width: VALUE_WIDTH });
    }
  }
  const width = RIGHT - LEFT - LABEL - 2 * PADDING;
  const x = LEFT + LABEL + PADDING;
  canvas.fitted(slip.remark === '' ? '-' : slip.remark, { x, y: baseOf(ROWS - 1), size: 9, width });
}
