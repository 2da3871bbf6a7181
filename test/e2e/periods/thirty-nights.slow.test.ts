/** The month at work: what each of its nights says, and the workbook of the last one, against figures worked out by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBreakEvents } from '../../../src/store/runs/breaks.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import type { Night } from '../../helpers/night.ts';
import { publish, statementOf } from '../../reports/publish.ts';
import type { PublishedBook } from '../../reports/publish.ts';
import { A, B, booked, june, playMonth } from './month-at-work.ts';
import type { Month } from './month-at-work.ts';

let month: Month;
let night: Night;
let book: PublishedBook;
beforeAll(async () => {
  month = await playMonth();
  ({ night } = month);
  book = await publish(night.db, { runId: 'nightly-2026-06-30-v1', path: `${night.home}/last.xlsx` });
}, 300_000);
afterAll(() => night.close());

/** Cells by the letters of their columns, in one line; dates are days as a cell counts them. */
function row(sheet: string, columns: string, line: number, of: Pick<PublishedBook, 'value'> = book): string {
  return columns
    .split(' ')
    .map((column) => of.value(sheet, `${column}${line}`) ?? '')
    .join('|');
}

function rows(sheet: string, columns: string, [from, to]: readonly [number, number]): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => row(sheet, columns, from + n));
}

/** The first row in which that column has the text. */
function lineOf(sheet: string, column: string, text: string): number {
  const found = [...book.sheet(sheet).cells].find(
    ([address, { value }]) => value === text && address.replace(/\d+$/, '') === column,
  );
  if (!found) throw new Error(`${sheet} has no ${text} in column ${column}`);
  return Number(found[0].slice(column.length));
}

/** As Excel counts: 46,203 is 2026-06-30. */
const cellDay = (day: number): number => 46_173 + day;

test('each night says what is open of the month so far, and nothing else', () => {
  const span = (from: number, to: number, told: string): string[] =>
    Array.from({ length: to - from + 1 }, (_, n) => `${from + n} ${told}`);
  // Where the books of a day have a deposit and the platform lists none, its answer is doubted under the account's number.
  expect(month.told).toEqual([
    ...span(1, 1, 'reconciled '),
    ...span(2, 2, 'breaks D2'),
    ...span(3, 4, 'breaks D2 D3'),
    ...span(5, 6, 'breaks D2 D3 D4'),
    ...span(7, 9, 'breaks D2 D3'),
    ...span(10, 11, 'breaks D2 D8'),
    ...span(12, 14, `breaks ${A} D2 D8 DX`),
    ...span(15, 17, `breaks ${A} D2 D3 D8 DX`),
    ...span(18, 19, `breaks ${A} D2 D8 DX`),
    ...span(20, 20, `breaks ${A} D2 D6 D8 DX`),
    ...span(21, 24, `breaks ${A} D2 D8 DX`),
    ...span(25, 27, `breaks ${A} D2 D8 D9 D9 DX`),
    ...span(28, 29, `breaks ${A} D10 D2 D8 D9 D9 DX`),
    ...span(30, 30, `breaks ${A} D10 D2 D7 D8 D9 D9 DX`),
  ]);
});

test('no break changes its id, and each end has a cause', async () => {
  expect([...month.ids].filter(([, seen]) => seen.size !== 1)).toEqual([]);
  expect([...month.ids.keys()].filter((key) => key.includes('D3'))).toEqual([`${A} D3 1`, `${A} D3 2`]);
  const closed = await night.db
    .selectFrom('break')
    .select(['reference', 'occurrence', 'closed_day', 'cleared_by'])
    .where('status', '=', 'closed')
    .orderBy('reference')
    .orderBy('occurrence')
    .execute();
  expect(closed.map((one) => Object.values(one).join(' '))).toEqual([
    'D3 1 2026-06-10 E-D3',
    'D3 2 2026-06-18 E-D3',
    'D4 1 2026-06-07 E-D4',
    'D6 1 2026-06-21 E-D6',
  ]);
});

test('what was said of them is told in its order, by whom, and the trail holds', async () => {
  const eventsOf = async (reference: string): Promise<string[]> => {
    const found = await night.db
      .selectFrom('break')
      .select('break_id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    return (await listBreakEvents(night.db, found.break_id)).map(({ event, actor }) => `${event} ${actor}`);
  };
  expect(await eventsOf('D2')).toEqual([
    'opened recon',
    'assigned 李娜',
    'explained 赵敏',
    'write_off_proposed 李娜',
    'written_off 王伟',
    'expired recon',
    'write_off_proposed 李娜',
    'written_off 王伟',
  ]);
  expect(await eventsOf('D4')).toEqual(['opened recon', 'resolved 赵敏', 'reopened recon', 'closed recon']);
  expect((await verifyTrail(night.db)).faults).toEqual([]);
});

test('the last workbook: breaks with all that was said of them, in the order of accounts', () => {
  // Account, class, difference, age, status, owner, reason, note, action, number, first found, write-off.
  expect(rows('差异', 'C E G H I J K L M P Z AA', [6, 12])).toEqual([
    `${A}|平台有企业无|5|28|已核销|赵敏|尾差，无凭证|||D2|${cellDay(2)}|至 2026-07-31，李娜 申请，王伟 复核`,
    `${A}|可疑空结果|0|18|未处理|||||${A}|${cellDay(12)}|`,
    `${A}|企业有平台无|-30|18|处理中|钱进||||DX|${cellDay(12)}|`,
    `${A}|账户不符|1000|5|已说明||记错账户，待冲转|||D9|${cellDay(25)}|`,
    `${B}|账户不符|-1000|5|已说明||记错账户，待冲转|||D9|${cellDay(25)}|`,
    `${B}|平台有企业无|12|20|处理中|孙丽||||D8|${cellDay(10)}|`,
    `${B}|重复入账|-66|2|已说明|孙丽|重复导入|已请财务冲销|冲销企业账|D10|${cellDay(28)}|`,
  ]);
  // 5 + 30 + 1,000 + 1,000 + 12 + 66, and 5 − 30 + 1,000 − 1,000 + 12 − 66.
  expect(row('差异', 'C D F G', 4)).toBe('7|2113|-79|-79');
});

const STATEMENT_HEAD = '日期|编号|对方|金额|日期|编号|对方|金额';

function statement(accountNo: string): string[] {
  return statementOf(book, { sheet: '余额调节表', accountNo })
    .slice(1)
    .map((values) => values.join('|'));
}

test('the last workbook: both balances, carried to the same figure item by item', () => {
  const tail = [
    '调节后差额（平台 − 企业账）|0|左右是否相符|相符',
    '其中：本期余额不明差异|0|其中：期初差异|0',
  ];
  expect(statement(A)).toEqual([
    '期初（上期结转）：企业账|10195.9|期初（上期结转）：平台|11170.9',
    STATEMENT_HEAD,
    '企业账面余额|10195.9|平台余额|11170.9',
    '加：平台已收企业未收|5|加：企业已收平台未收|30',
    `${cellDay(2)}|D2|测试付款人|5|${cellDay(12)}|E-X|30`,
    '减：平台已付企业未付|0|减：企业已付平台未付|0',
    '调整：账户不符|1000',
    `${cellDay(25)}|D9|测试付款人|1000`,
    '调节后企业账面余额|11200.9|调节后平台余额|11200.9',
    ...tail,
    '差额是否等于两项之和|相符',
  ]);
  expect(statement(B)).toEqual([
    '期初（上期结转）：企业账|6139.6|期初（上期结转）：平台|5085.6',
    STATEMENT_HEAD,
    '企业账面余额|6139.6|平台余额|5094.4',
    '加：平台已收企业未收|20.8|加：企业已收平台未收|0',
    `${cellDay(10)}|D8|测试付款人|12`,
    `${cellDay(30)}|D7|测试付款人|8.8`,
    '减：平台已付企业未付|0|减：企业已付平台未付|0',
    '调整：账户不符|-1000',
    `${cellDay(25)}|E-D9|-1000`,
    '调整：重复入账|-66',
    `${cellDay(28)}|D10|测试付款人|-66`,
    '调节后企业账面余额|5094.4|调节后平台余额|5094.4',
    ...tail,
    '差额是否等于两项之和|相符',
  ]);
  // Opening, in, out, fees, computed, balance, unexplained of the platform; those of the books; difference, of lines.
  expect(rows('余额滚动', 'B F G H I J K L M N O P Q R V W X Y', [7, 9])).toEqual([
    `${A}|11170.9|0|0|0|11170.9|11170.9|0|10195.9|0|0|0|10195.9|10195.9|975|975|0|相符`,
    `${B}|5085.6|8.8|0|0|5094.4|5094.4|0|6139.6|0|0|0|6139.6|6139.6|-1045.2|-1045.2|0|相符`,
    '合计|16256.5|8.8|0|0|16265.3|16265.3|0|16335.5|0|0|0|16335.5|16335.5|-70.2|-70.2|0|',
  ]);
});

test('the last workbook: what waits, what offsets what, and what is written off', () => {
  // Brought forward, new, cleared, turned into breaks, changed, open.
  expect(rows('未达账项', 'B C D E F G H', [4, 5])).toEqual(['0|1|0|0|0|1|相符', '0|8.8|0|0|0|8.8|相符']);
  const waits = `${B}|跨日入账|平台已收企业未收|D7|8.8|8.8|0|${cellDay(33)}|本期新增||`;
  expect(row('未达账项', 'B D E F H I K M N O P', 7)).toBe(waits);
  expect(row('对冲', 'A B C E F G I J', 6)).toBe(`同一业务编号|1000|${A}|账户不符|D9|${B}|账户不符|D9`);
  expect(rows('调整', 'B C D', [4, 5])).toEqual(['1|1|0', '5|5|0']);
  const writtenOff = `${A}|平台有企业无|5|已复核|${cellDay(61)}|李娜|王伟|尾差，无凭证|28|已核销`;
  expect(row('调整', 'B D E F G H I J K L', 7)).toBe(writtenOff);
  expect(row('前期变动', 'A', 6)).toBe('前期没有变动。');
});

test('the last workbook: the summary counts by status, class, owner and age, and every tie-out agrees', () => {
  expect(row('汇总', 'A', 5)).toBe('账户 2 个 · 差异 7 笔（总额 2,113.00 元） · 未达账项 1 笔');
  const status = lineOf('汇总', 'A', '处理状态');
  expect(rows('汇总', 'A B C D', [status + 1, status + 5])).toEqual([
    '未处理|1|0|18',
    '处理中|2|42|20',
    '已说明|3|2066|5',
    '已核销|1|5|28',
    '合计|7|2113|28',
  ]);
  const classes = lineOf('汇总', 'A', '类别');
  expect(rows('汇总', 'A B C D', [classes + 1, classes + 6])).toEqual([
    '账户不符|2|2000|0',
    '平台有企业无|2|17|17',
    '重复入账|1|66|-66',
    '可疑空结果|1|0|0',
    '企业有平台无|1|30|-30',
    '合计|7|2113|-79',
  ]);
  const owner = lineOf('汇总', 'F', '负责人');
  expect(rows('汇总', 'F G H I', [owner + 1, owner + 4])).toEqual([
    '（无人负责）|3|2000|18',
    '孙丽|2|78|20',
    '赵敏|1|5|28',
    '钱进|1|30|18',
  ]);
  const age = lineOf('汇总', 'A', '账龄区间');
  expect(rows('汇总', 'B', [age + 1, age + 4])).toEqual(['0', '3', '4', '0']);
  const ties = lineOf('汇总', 'A', '核对项目');
  expect(rows('汇总', 'D', [ties + 1, ties + 9])).toEqual(Array.from({ length: 9 }, () => '相符'));
});

test('the last workbook: the balances of thirty nights', () => {
  const first = lineOf('汇总', 'A', '日期') + 1;
  const from = (steps: readonly (readonly [day: number, yuan: number])[], day: number): number =>
    steps.findLast(([since]) => since <= day)?.[1] ?? 0;
  const ofA = [
    [1, 10_100],
    [2, 10_105],
    [3, 10_125],
    [5, 10_170.9],
    [25, 11_170.9],
  ] as const;
  const ofB = [
    [1, 5_000],
    [10, 5_012],
    [20, 5_019.6],
    [28, 5_085.6],
    [30, 5_094.4],
  ] as const;
  expect(rows('汇总', 'A B C D', [first, first + 29])).toEqual(
    Array.from({ length: 30 }, (_, n) => `${cellDay(n + 1)}|${from(ofA, n + 1)}|${from(ofB, n + 1)}|0`),
  );
});

test('a new version of an old day says when its open item was cleared since, and by what', async () => {
  // An entry of that day is handed in ten days later.
  await night.entries([booked(B, 'LATE', 3, `${june(20)} 10:00:00`)]);
  const reports = ['v1', 'v2'].map((version) => `nightly-2026-06-20-${version}`);
  const { result } = await night.night(june(20));
  expect(result.run.id).toBe(reports[1]);
  const [first, again] = await Promise.all(
    reports.map((runId) => publish(night.db, { runId, path: `${night.home}/${runId}.xlsx` })),
  );
  const columns = 'F I N O P';
  expect(row('未达账项', columns, 7, first)).toBe('D6|7.6|本期新增||');
  expect(row('未达账项', columns, 7, again)).toBe(`D6|7.6|本期新增|${cellDay(21)}|E-D6`);
});
