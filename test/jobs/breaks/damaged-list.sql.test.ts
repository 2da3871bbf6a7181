/** A file that is not as it was written, or says what cannot be said, is refused as a whole, each cell by its name. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { editParts, editSheet } from '../../helpers/fill-workbook.ts';
import type { Filling } from '../../helpers/fill-workbook.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { FilledBook, importFile, sayOf } from './work-list.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
let first: FilledBook;
let book: FilledBook;
let id: string;

/** Three deposits that the books do not have, two nights, and a write-off that is in force. */
beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-04');
  const deposits = [100n, 200n, 300n].map((amountFen, n) => ({
    orderNo: `D${n + 1}`,
    at: '2026-03-01 09:00:00',
    amountFen,
  }));
  await books.deposits(A, deposits);
  for (let day = 2; day <= 3; day++)
    await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: 100_600n });
  const open = async (day: string): Promise<FilledBook> => {
    const { runId } = await books.night(day);
    await publish(database.db, { runId, path: folder.path(`${runId}.xlsx`) });
    return FilledBook.open(folder.path(`${runId}.xlsx`));
  };
  first = await open('2026-03-01');
  const on = { day: '2026-03-02', references: ['D3'] };
  const saying = { kind: 'write-off', reason: '尾差', expires: '2026-12-31' } as const;
  await sayOf(database.db, { ...on, by: '李娜', saying });
  await sayOf(database.db, { ...on, by: '王伟', saying: { kind: 'approve' } });
  await sayOf(database.db, {
    ...on,
    by: '李娜',
    saying: { kind: 'explain', reason: '补记' },
    references: ['D2'],
  });
  book = await open('2026-03-02');
  id = String(book.value('D1', '差异编号'));
});
afterAll(() => database.close());

let files = 0;

async function refusedOf(path: string): Promise<string[]> {
  const before = await trailNo();
  const outcome = await importFile(database.db, path, { day: '2026-03-03' });
  expect(await trailNo(), 'nothing was written').toBe(before);
  return Array.isArray(outcome) ? outcome : [`taken: ${outcome.text}`];
}

async function trailNo(): Promise<bigint | undefined> {
  return (await database.db.selectFrom('audit_trail').select('last_no').executeTakeFirst())?.last_no;
}

async function filled(rows: Record<string, Record<string, Filling>>): Promise<string[]> {
  return refusedOf(await book.fill(folder.path(`filled-${++files}.xlsx`), rows));
}

async function edited(edit: (xml: string) => string): Promise<string[]> {
  const path = await editSheet(book.path, folder.path(`edited-${++files}.xlsx`), { sheet: '差异', edit });
  return refusedOf(path);
}

const at = (reference: string, title: string): string => `差异!${book.cell(reference, title)}`;

/** The row of the first break, as XML. */
function rowOf(xml: string, reference: string): string {
  const row = book.cell(reference, '处理状态').replace(/^[A-Z]+/, '');
  return new RegExp(`<row r="${row}"[^>]*>.*?</row>`, 's').exec(xml)?.[0] ?? '';
}

test('an amount, an account or a text that was changed', async () => {
  expect(await filled({ D1: { 差额: 7.1, 账户: '6217', 类别: '金额不符' } })).toEqual([
    `${at('D1', '账户')} "6217": "账户" is not to be changed: put "${A}" back`,
    `${at('D1', '类别')} "金额不符": "类别" is not to be changed: put "平台有企业无" back`,
    `${at('D1', '差额')} "7.10": "差额" is not to be changed: put "1.00" back`,
  ]);
});

test('a day or moment that was changed, and a cell that was emptied', async () => {
  expect(await filled({ D1: { 首次发现: 46_000, 平台时间: null } })).toEqual(
    [
      `${at('D1', '平台时间')}: "平台时间" is not to be changed: put "2026-03-01 09:00:00" back`,
      `${at('D1', '首次发现')} "46000": "首次发现" is not to be changed: put "2026-03-01" back`,
    ].map((line) => line.replace('"46000"', '"2025-12-09"')),
  );
});

test('a formula, in what is filled in or elsewhere, and an error of the spreadsheet', async () => {
  const formula = { formula: 'HYPERLINK("http://x","y")', result: 'y' };
  expect(await filled({ D1: { 备注: formula, 差额: { formula: '1', result: '1.00' } } })).toEqual([
    `${at('D1', '差额')}: is a formula: type what it is to say`,
    `${at('D1', '备注')}: is a formula: type what it is to say`,
  ]);
  const cell = book.cell('D1', '备注');
  const error = (xml: string): string =>
    xml.replace(new RegExp(`<c r="${cell}"( s="\\d+")/>`), `<c r="${cell}"$1 t="e"><v>#REF!</v></c>`);
  expect(await edited(error)).toEqual([`${at('D1', '备注')} "#REF!": is an error of the spreadsheet`]);
});

test('the number of a break that was emptied, mistyped, or put in another row', async () => {
  const other = String(book.value('D2', '差异编号'));
  expect(await filled({ D1: { 差异编号: null } })).toEqual([
    `${at('D1', '差异编号')}: the row has no number of the break: take it from the file as it was written, or remove a row that was added`,
  ]);
  expect(await filled({ D1: { 差异编号: 'B0123456789abcde' } })).toEqual([
    `${at('D1', '差异编号')} "B0123456789abcde": is no break that nightly-2026-03-02-v1 lists: write its own number here`,
  ]);
  expect((await filled({ D1: { 差异编号: other } }))[0]).toMatch(
    new RegExp(
      `^${at('D1', '核对码')} ".*": does not belong to ${other}: the number or the code was changed`,
    ),
  );
});

test('a code that was emptied, mistyped, of another file, or whose base was moved', async () => {
  const code = String(book.value('D1', '核对码'));
  const place = at('D1', '核对码');
  expect(await filled({ D1: { 核对码: null } })).toEqual([
    `${place}: the row has no code that it was written with: take it from the file as it was written, or remove a row that was added`,
  ]);
  expect(await filled({ D1: { 核对码: 'x' } })).toEqual([
    `${place} "x": is no code of a row: fill in a copy of the file as it was written`,
  ]);
  const [run = '', no = '', ...rest] = code.split(' ');
  const moved = [run, String(Number(no) - 1), ...rest].join(' ');
  const faults = await filled({ D1: { 核对码: moved }, D2: { 核对码: moved }, D3: { 核对码: moved } });
  expect(faults).toHaveLength(3);
  for (const fault of faults) expect(fault).toContain('the number or the code was changed');
  expect(await filled({ D2: { 核对码: String(first.value('D2', '核对码')) } })).toEqual([
    expect.stringMatching(
      /^差异!AB7 "nightly-2026-03-01-v1 .*": was written with something else than the rows above it/,
    ),
  ]);
});

test('a file of another database', async () => {
  const all = (edit: (code: string) => string): Promise<string[]> =>
    edited((xml) => xml.replace(/nightly-2026-03-02-v1 \d+/g, edit));
  expect((await all((code) => code.replace('03-02', '04-02')))[0]).toMatch(
    /^edited-\d+\.xlsx "nightly-2026-04-02-v1": is no run of this database/,
  );
  expect((await all(() => 'nightly-2026-03-02-v1 999'))[0]).toMatch(
    /^edited-\d+\.xlsx "999": is further than the audit trail has come/,
  );
});

test('a row that was removed, or that stands twice', async () => {
  expect((await edited((xml) => xml.replace(rowOf(xml, 'D1'), '')))[0]).toMatch(
    new RegExp(`^edited-\\d+\\.xlsx: 1 of its 3 rows is missing: ${id}; hide rows instead of removing them$`),
  );
  const twice = (xml: string): string => {
    const row = rowOf(xml, 'D1');
    return xml.replace('</sheetData>', `${row.replace(/r="([A-Z]*)6"/g, 'r="$190"')}</sheetData>`);
  };
  expect(await edited(twice)).toEqual([
    `差异!A90 "${id}": stands twice: once at ${at('D1', '差异编号')}; remove one of the rows`,
  ]);
});

test('a row that was added, whatever it says', async () => {
  const added = (cells: Record<string, string>): Promise<string[]> =>
    edited((xml) => {
      const texts = Object.entries(cells).map(
        ([column, text]) => `<c r="${column}90" t="inlineStr"><is><t>${text}</t></is></c>`,
      );
      return xml.replace('</sheetData>', `<row r="90">${texts.join('')}</row></sheetData>`);
    });
  const numberless =
    '差异!A90: the row has no number of the break: take it from the file as it was written, or remove a row that was added';
  const codeless =
    '差异!AB90: the row has no code that it was written with: take it from the file as it was written, or remove a row that was added';
  expect(await added({ C: A, F: '另有一笔' })).toEqual([numberless]);
  expect(await added({ A: 'B0123456789abcde', C: A, G: '12.00' })).toEqual([codeless]);
  expect(await added({ A: 'B0123456789abcde' })).toEqual([codeless]);
});

test('columns that were removed, renamed, doubled or added, and text beside the list', async () => {
  const rename = (from: string, to: string) => edited((xml) => xml.replace(`>${from}</t>`, `>${to}</t>`));
  expect(await rename('负责人', '责任人')).toEqual([
    '差异!row 5: column "负责人" is missing: fill in a copy of the file as it was written',
    '差异!J5 "责任人": is no column of this list: remove it; what it says belongs into "备注"',
  ]);
  expect((await rename('原因', '备注'))[1]).toBe(
    '差异!row 5: column "备注" is there 2 times: remove what was added',
  );
  const beside = '<c r="AC6" t="inlineStr"><is><t>我的说明</t></is></c></row>';
  expect(
    await edited((xml) => xml.replace(rowOf(xml, 'D1'), (row) => row.replace('</row>', beside))),
  ).toEqual(['差异!AC6 "我的说明": stands beside the list: what it says belongs into "备注"']);
});

test('a status or action that is none, and what no file may say', async () => {
  expect(
    await filled({ D1: { 处理状态: '已完成', 建议处理: '删除' }, D2: { 处理状态: '已核销', 原因: '尾差' } }),
  ).toEqual([
    `${at('D1', '处理状态')} "已完成": is no status: choose 处理中, 已说明, 已解决`,
    `${at('D1', '建议处理')} "删除": is no action: choose 补记企业账, 冲销企业账, 更正金额, 更正账户, 联系平台, 等待到账, 申请核销`,
    `${at('D2', '处理状态')} "已核销": is never taken from a file: choose "申请核销" in "建议处理"; another person approves it with recon breaks approve`,
  ]);
  // The rest of the row says something, and the cell that is wrong is told once.
  const rest = { 处理状态: '已说明', 原因: '尾差', 负责人: '赵敏' };
  expect(await filled({ D1: { ...rest, 建议处理: '删除' } })).toEqual([
    expect.stringMatching(/ "删除": is no action: choose /) as string,
  ]);
  expect(await filled({ D2: { 处理状态: '未处理' }, D3: { 处理状态: '核销已到期' } })).toEqual([
    `${at('D2', '处理状态')} "未处理": nothing that was said is taken back by a file: leave what stood there, or say what is so`,
    `${at('D3', '处理状态')} "核销已到期": is never taken from a file: choose "申请核销" in "建议处理"; another person approves it with recon breaks approve`,
  ]);
});

test('a status without its reason or owner, and a reason or day that belongs to nothing', async () => {
  expect(await filled({ D1: { 处理状态: '已解决' }, D2: { 处理状态: '处理中' } })).toEqual([
    `${at('D1', '原因')}: "已解决" needs a reason: write it here`,
    `${at('D2', '负责人')}: needs the name of who works on it`,
  ]);
  expect(await filled({ D1: { 原因: '不明', 核销: '2026-12-31' } })).toEqual([
    `${at('D1', '原因')} "不明": stands beside "已说明", "已解决" or "申请核销": choose one of them, or write a remark`,
    `${at('D1', '核销')} "2026-12-31": a day stands here beside "申请核销" only: choose it, or put back what stood there`,
  ]);
  expect(await filled({ D2: { 处理状态: '处理中', 负责人: '赵敏' } })).toEqual([
    `${at('D2', '处理状态')} "处理中": cannot be together with the rest of the row: it would be "已说明"`,
  ]);
});

test('a write-off without a reason, without a day, with one that is none, or that is over', async () => {
  const ask = (cells: Record<string, Filling>) => filled({ D1: { 建议处理: '申请核销', ...cells } });
  expect(await ask({})).toEqual([`${at('D1', '原因')}: a write-off needs a reason: write it here`]);
  expect(await ask({ 原因: '尾差' })).toEqual([
    `${at('D1', '核销')}: a write-off needs its last day: write it here as yyyy-MM-dd, or give --expires`,
  ]);
  expect(await ask({ 原因: '尾差', 核销: '年底' })).toEqual([
    `${at('D1', '核销')} "年底": is no day: write until when the write-off is in force, yyyy-MM-dd`,
  ]);
  expect(await ask({ 原因: '尾差', 核销: '2026-12-310' })).toEqual([
    `${at('D1', '核销')} "2026-12-310": is no day: write until when the write-off is in force, yyyy-MM-dd`,
  ]);
  expect(await ask({ 原因: '尾差', 核销: '2026/3/1' })).toEqual([
    `${at('D1', '核销')} "2026-03-01": is over already (today is 2026-03-03): write a later day`,
  ]);
});

test('text that is too long or holds what no line holds, and a name that is none', async () => {
  expect(
    await filled({ D1: { 备注: 'x'.repeat(1_001), 负责人: 'y'.repeat(101) }, D2: { 原因: 'a_x0007_b' } }),
  ).toEqual([
    expect.stringMatching(/^差异!J6 "y+…": the owner takes a name of up to 100 characters/),
    expect.stringMatching(/^差异!L6 "x+…": it takes up to 1000 characters; these are 1001$/),
    `${at('D2', '原因')} "a\\u0007b": it takes one line without control characters`,
  ]);
  const people = [{ name: 'Wang Wei', roles: ['preparer' as const] }];
  const path = await book.fill(folder.path('people.xlsx'), { D1: { 负责人: 'Wang Wie' } });
  expect(await importFile(database.db, path, { people })).toEqual([
    `${at('D1', '负责人')} "Wang Wie": the owner "Wang Wie" is none of RECON_PEOPLE (did you mean Wang Wei?): Wang Wei`,
  ]);
});

test('a file that is cut, holds another sheet, or is something else', async () => {
  const bytes = await readFile(book.path);
  await writeFile(folder.path('cut.xlsx'), bytes.subarray(0, bytes.length - 2_000));
  expect((await refusedOf(folder.path('cut.xlsx')))[0]).toMatch(/^cut.xlsx is no readable .xlsx workbook/);
  const renamed = await editParts(book.path, folder.path('renamed.xlsx'), (name, xml) =>
    name === 'xl/workbook.xml' ? xml.replace('name="差异"', 'name="差异1"') : xml,
  );
  expect((await refusedOf(renamed))[0]).toMatch(
    /^renamed.xlsx holds no sheet 差异 \(Breaks\) with its columns/,
  );
  await writeFile(folder.path('other.csv'), 'a,b\n1,2\n');
  expect((await refusedOf(folder.path('other.csv')))[0]).toMatch(/^other.csv holds no sheet 差异/);
  await writeFile(folder.path('empty.csv'), '');
  expect(await refusedOf(folder.path('empty.csv'))).toEqual(['empty.csv is empty']);
});

test('hundreds of faults are counted, and the first hundred named', async () => {
  const many = (xml: string): string => {
    const row = rowOf(xml, 'D1');
    const rows = Array.from({ length: 150 }, (_, n) => row.replace(/r="([A-Z]*)6"/g, `r="$1${100 + n}"`));
    return xml.replace('</sheetData>', `${rows.join('')}</sheetData>`);
  };
  const faults = await edited(many);
  expect([faults.length, faults.at(-1)]).toEqual([101, 'and 50 more']);
});
