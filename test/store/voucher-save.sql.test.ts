/** What an answer about a voucher leaves behind: filed, waited for, given up (VCH-08, VCH-09, U51). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { saveVoucherAnswers } from '../../src/store/vouchers/voucher-save.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { at } from '../helpers/service-time.ts';
import { TODAY, VoucherList, WHOLE } from '../helpers/company/voucher-list.ts';

let database: TestDatabase;
let db: Db;
let list: VoucherList;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  list = new VoucherList(db);
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

describe('what an answer leaves', () => {
  test('a file: filed, and never due again', async () => {
    await list.deposits('D1');
    await list.answer('D1', { files: [{}, { pages: 3 }] });
    expect(await list.dues('tries', 'asked_run')).toEqual(['deposit D1 filed 1 night-2026-03-02']);
    expect(await list.files('pages')).toEqual(['D1 1 D1-0 whole 1', 'D1 2 D1-1 whole 3']);
    expect(await list.choose({ today: '2027-01-01' })).toEqual([]);
  });

  test('an encrypted or damaged file is filed like any other; what is no PDF is not', async () => {
    await list.deposits('D1', 'D2');
    await list.answer('D1', {
      files: [
        { condition: 'encrypted', pages: null, remark: 'encrypted' },
        { condition: 'rejected', pages: null, remark: 'it does not begin with %PDF-' },
      ],
    });
    await list.answer('D2', {
      files: [{ condition: 'rejected', pages: null, remark: 'it does not begin with %PDF-' }],
    });
    expect(await list.dues('reason')).toEqual([
      'deposit D1 filed ',
      'deposit D2 due it does not begin with %PDF-',
    ]);
    expect(await list.files()).toEqual(['D1 1 D1-0 encrypted', 'D1 2 D1-1 rejected', 'D2 1 D2-0 rejected']);
  });

  test('a better answer takes the place of a rejected one; a second answer never replaces what is filed', async () => {
    await list.deposits('D1');
    const unit = await list.unitOf('D1');
    await list.answer('D1', {
      files: [{ condition: 'rejected', sha256: 'junk' }, { condition: 'rejected' }],
    });
    await list.answer('D1', { files: [{ sha256: 'good' }] }, '2026-03-03');
    expect(await list.files()).toEqual(['D1 1 good whole']);
    await saveVoucherAnswers(db, {
      runId: 'late',
      today: '2026-03-03',
      retryDays: 3,
      answers: [
        {
          kind: 'files',
          unit,
          askedAt: at('2026-03-03 03:00:00'),
          reqId: 'r2',
          files: [{ ...WHOLE, fileNo: 1, sha256: 'other' }],
        },
      ],
    });
    expect(await list.files('run_id')).toEqual(['D1 1 good whole night-2026-03-03']);
  });

  test('refused for retryDays after the first day, then given up', async () => {
    await list.deposits('D1');
    const states: string[] = [];
    for (let day = '2026-03-02'; day <= '2026-03-05'; day = addDays(day, 1)) {
      expect(await list.choose({ today: day }), day).toHaveLength(1);
      await list.answer('D1', { refused: 'not ready' }, day);
      states.push(...(await list.dues('tries')));
    }
    expect(states).toEqual([
      'deposit D1 due 1',
      'deposit D1 due 2',
      'deposit D1 due 3',
      'deposit D1 given_up 4',
    ]);
    expect(await list.choose({ today: '2026-04-01' })).toEqual([]);
  });

  test('no answer: due at once again, its days not counted', async () => {
    await list.deposits('D1');
    await list.answer('D1', { unanswered: 'no answer in 120000 ms' });
    expect(await list.dues('tries', 'first_asked_day', 'asked_run', 'reason')).toEqual([
      'deposit D1 due 0 -  no answer in 120000 ms',
    ]);
    expect(await list.choose()).toHaveLength(1);
  });

  test('U51: a refused settlement is unavailable, and so is one that was refused for all its days', async () => {
    for (const out of ['T1', 'T2']) {
      await list.orders.transfer({
        out,
        payer: 'P',
        payee: 'Q',
        amountFen: 500n,
        settle: { state: 'moved' },
      });
    }
    await list.fill();
    const settlement = async (number: string, isForGood: boolean, day: string) => {
      const unit = (await list.choose({ kinds: ['settlement'], today: day })).find(
        (due) => due.number === number,
      );
      if (unit === undefined) throw new Error(`${number} is not due`);
      const refused = {
        kind: 'refused',
        unit,
        askedAt: at(`${day} 02:00:00`),
        reason: 'no',
        isForGood,
      } as const;
      await saveVoucherAnswers(db, { runId: 'n', today: day, retryDays: 3, answers: [refused] });
    };
    await settlement('T1', true, '2026-03-02');
    await settlement('T2', false, '2026-03-02');
    await settlement('T2', false, '2026-03-05');
    expect(await list.dues('tries')).toEqual([
      'settlement T1 unavailable 1',
      'settlement T2 unavailable 2',
      'transfer T1 due 0',
      'transfer T2 due 0',
    ]);
  });

  test('P18: orders with the very same file say so, each naming another', async () => {
    await list.deposits('D1', 'D2', 'D3');
    await list.answer('D1', { files: [{ sha256: 'same' }] });
    await list.answer('D2', { files: [{ sha256: 'own' }, { sha256: 'same' }] });
    expect(await list.files('remark')).toEqual([
      'D1 1 same whole the same file as that of deposit D2',
      'D2 1 own whole ',
      'D2 2 same whole the same file as that of deposit D1',
    ]);
  });

  test('a batch is saved once, however often: some filed, some not', async () => {
    await list.deposits('D1', 'D2');
    const [one, two] = [await list.unitOf('D1'), await list.unitOf('D2')];
    const askedAt = at('2026-03-02 02:00:00');
    const save = {
      runId: 'n1',
      today: TODAY,
      retryDays: 3,
      answers: [
        { kind: 'files', unit: one, askedAt, reqId: 'r1', files: [{ ...WHOLE, fileNo: 1, sha256: 'a' }] },
        { kind: 'refused', unit: two, askedAt, reason: 'not ready', isForGood: false },
      ],
    } as const;
    await saveVoucherAnswers(db, save);
    const before = [await list.dues('tries', 'next_day'), await list.files()];
    await saveVoucherAnswers(db, save);
    expect([await list.dues('tries', 'next_day'), await list.files()]).toEqual(before);
    expect(before).toEqual([['deposit D1 filed 1 -', 'deposit D2 due 1 2026-03-03'], ['D1 1 a whole']]);
  });
});
