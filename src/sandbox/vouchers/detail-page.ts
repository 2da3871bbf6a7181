/** The page behind a slip that lists what the order consists of: a sheet of A4. */
import { yuanForPeople } from '../../core/fen.ts';
import { Canvas } from './slip-canvas.ts';
import type { FontSet } from './slip-canvas.ts';
import { BANK, BLUE, SLIP_TEXTS } from './slip-page.ts';
import type { Imprint } from './slip-page.ts';
import { SLIP_TITLES } from './slip.ts';
import type { Slip } from './slip.ts';

export const DETAIL_SIZE = { width: 595.28, height: 841.89 };

export const DETAIL_TEXTS = {
  title: '交易明细',
  heads: ['项目', '内容'],
  items: [
    '回单编号',
    '业务类型',
    '平台订单号',
    '商户订单号',
    '批次号',
    '付款方',
    '付款账号',
    '收款方',
    '收款账号',
    '订单金额',
    '手续费',
    '实际到账',
    '交易时间',
    '附言',
  ],
};

const [LEFT, RIGHT, TOP, ROW, LABEL] = [56, 539.28, 740, 26, 120];

/** @param page from 2 */
export function detailContent(set: FontSet, slip: Slip, of: Imprint & { page: number }): string {
  const canvas = new Canvas(set);
  const middle = DETAIL_SIZE.width / 2;
  canvas.draw('q 30 0 0 30 56 777 cm /Logo Do Q', `${BLUE} rg ${BLUE} RG`);
  canvas.text(BANK.name, { x: 92, y: 787, size: 13 });
  canvas.bold(DETAIL_TEXTS.title, { x: middle, y: 784, size: 18, stroke: 0.45 });
  canvas.right(`第 ${of.page} 页，共 ${of.pages} 页`, { x: RIGHT, y: 787, size: 8 });
  const facts = factsOf(slip, of);
  drawTable(canvas, facts.length + 1);
  for (const [place, head] of DETAIL_TEXTS.heads.entries()) {
    canvas.text(head, { x: place === 0 ? LEFT + 8 : LEFT + LABEL + 8, y: TOP - ROW + 9, size: 10 });
  }
  canvas.draw('0.13 0.13 0.15 rg');
  for (const [row, value] of facts.entries()) {
    const y = TOP - (row + 2) * ROW + 9;
    canvas.text(DETAIL_TEXTS.items[row] ?? '', { x: LEFT + 8, y, size: 9.5 });
    const width = RIGHT - LEFT - LABEL - 16;
    canvas.fitted(value === '' ? '-' : value, { x: LEFT + LABEL + 8, y, size: 9.5, width });
  }
  const below = TOP - (facts.length + 1) * ROW;
  canvas.text(`${SLIP_TEXTS.code}${of.code}`, { x: LEFT, y: below - 24, size: 9.5 });
  if (of.page === of.pages) canvas.draw(`q 1 0 0 1 470 ${below - 18} cm /Stamp Do Q`);
  return canvas.content();
}

function factsOf(slip: Slip, { slipNo }: Imprint): string[] {
  const { payer, payee } = slip;
  return [
    slipNo,
    SLIP_TITLES[slip.kind],
    slip.orderNo,
    slip.outOrderNo,
    slip.batchNo,
    payer.name,
    payer.accountNo,
    payee.name,
    payee.accountNo,
    `￥${yuanForPeople(slip.amountFen)}`,
    `￥${yuanForPeople(slip.feeFen)}`,
    `￥${yuanForPeople(slip.realFen)}`,
    slip.time,
    slip.remark,
  ];
}

function drawTable(canvas: Canvas, rows: number): void {
  const height = rows * ROW;
  canvas.draw(
    `q 0.925 0.95 0.98 rg ${LEFT} ${TOP - ROW} ${RIGHT - LEFT} ${ROW} re f`,
    `${LEFT} ${TOP - height} ${LABEL} ${height} re f Q`,
    '0.5 w',
  );
  for (let row = 1; row < rows; row++) {
    canvas.line({ x: LEFT, y: TOP - row * ROW }, { x: RIGHT, y: TOP - row * ROW });
  }
  canvas.line({ x: LEFT + LABEL, y: TOP }, { x: LEFT + LABEL, y: TOP - height });
  canvas.draw(`1 w ${LEFT} ${TOP - height} ${RIGHT - LEFT} ${height} re S`);
}
