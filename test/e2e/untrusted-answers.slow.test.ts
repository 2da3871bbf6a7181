/** Nights on a platform whose answers cannot be believed: nothing false is stored, and nothing is guessed. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAnswerText } from '../../src/store/deposits/answers.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { countOf, expectGreen, openQuietDay } from '../helpers/quiet-day.ts';

let night: Night;

beforeEach(async () => {
  night = await openQuietDay();
});
afterEach(() => night.close());

describe('clocks', () => {
  test('N15: a clock that is five seconds behind the platform is corrected from its signed answers', async () => {
    night.sandbox.clock.advance(5_000);
    await expectGreen(night);
    expect(night.log.lines.map(({ event }) => event)).toContain('clock.differs');
  });

  test('N15: a clock that is nine seconds ahead stops the run with a plain sentence', async () => {
    night.sandbox.clock.advance(-9_500);
    const { result } = await night.night('2026-03-10');
    expect(result.run.verdict).toBe('incomplete');
    expect(result.accounts[0]?.reason).toMatch(/clock is (?:9|10) s ahead of the platform's/);
    expect(await countOf(night, 'balance_snapshot')).toBe(0);
  });

  test('H15: a night that begins a second before midnight and ends after it', async () => {
    for (const [no, time] of [
      ['A1', '2026-03-10 23:59:59'],
      ['A2', '2026-03-11 00:00:00'],
    ] as const) {
      night.deposits({ payeeAcctNo: no, orderNo: `${no}MIDNIGHT`, amountFen: 77n, depositTime: time });
    }
    night.moveTo('2026-03-10 23:59:59');
    const before = await night.night('2026-03-09');
    expect(before.result.run.verdict).toBe('reconciled');
    expect(before.result.accounts.map(({ platformFen }) => platformFen)).toEqual([100_000n, 100_000n]);
    night.moveTo('2026-03-11 02:00:00');
    const after = await night.night('2026-03-10');
    expect(findingsOf(after)).toEqual(['platform_only A1 A1MIDNIGHT 77']);
    expect(after.result.accounts.map(({ unexplainedFen }) => unexplainedFen)).toEqual([0n, 0n]);
  });
});

describe('evidence', () => {
  test('invariant 4: every stored deposit is found in the answer it names, whose digest is its name', async () => {
    await expectGreen(night);
    const rows = await night.db
      .selectFrom('deposit')
      .innerJoin('raw_answer', 'raw_answer.sha256', 'deposit.answer_sha256')
      .select(['order_no', 'amount_fen', 'answer_sha256', 'req_id'])
      .execute();
    expect(rows).toHaveLength(6);
    const asked = night.sandbox.requests().map(({ body }) => body);
    for (const row of rows) {
      const text = (await findAnswerText(night.db, row.answer_sha256)) ?? '';
      expect(createHash('sha256').update(text, 'utf8').digest('hex')).toBe(row.answer_sha256);
      const { depositList } = JSON.parse(text) as { depositList: { orderNo: string; amount: number }[] };
      expect(depositList.find(({ orderNo }) => orderNo === row.order_no)?.amount).toBe(
        Number(row.amount_fen),
      );
      expect(asked.filter((body) => body.includes(row.req_id))).toHaveLength(1);
    }
  });
});

describe('signatures', () => {
  test('N8: wrong signatures of three requests stop the run, and nothing of theirs is stored', async () => {
    night.sandbox.addFault({ kind: 'corrupt_biz_data', times: null });
    for (let times = 0; times < 2; times++) {
      const { result } = await night.night('2026-03-10');
      expect(result.run).toMatchObject({ verdict: 'incomplete', version: 1 });
      expect(result.accounts[0]?.reason).toMatch(/3 requests were answered with a wrong signature/);
    }
    expect(await countOf(night, 'deposit')).toBe(0);
    expect(await countOf(night, 'raw_answer')).toBe(0);
    expect(await countOf(night, 'balance_snapshot')).toBe(0);
    const days = await night.db.selectFrom('sync_day').selectAll().execute();
    expect(days).toEqual([]);
    night.sandbox.liftFaults();
    await expectGreen(night);
    const runs = await night.db.selectFrom('run').select(['run_id', 'state']).execute();
    expect(runs).toEqual([{ run_id: 'nightly-2026-03-10-v1', state: 'finished' }]);
  });

  test('N9: a platform that signed yesterday and does not today is refused, also by a new process', async () => {
    await expectGreen(night);
    night.sandbox.setSwitches({ signAnswers: false });
    night.moveTo('2026-03-12 02:00:00');
    night.deposits({
      payeeAcctNo: 'A1',
      orderNo: 'FORGED',
      amountFen: 1n,
      depositTime: '2026-03-11 10:00:00',
    });
    const { result } = await night.night('2026-03-11');
    expect(result.run.verdict).toBe('incomplete');
    expect(result.accounts[0]?.reason).toMatch(/a wrong signature or none/);
    expect(await countOf(night, 'deposit')).toBe(6);
  });

  test('N9: a platform that never signed passes, and its facts say so', async () => {
    night.sandbox.setSwitches({ signAnswers: false });
    await expectGreen(night);
    const signed = await night.db.selectFrom('deposit').select('signed').distinct().execute();
    expect(signed).toEqual([{ signed: false }]);
  });
});

describe('records that cannot be believed', () => {
  test('P9: an amount that is none is a bad record of its own; the rest of the page stands', async () => {
    night.sandbox.addFault({ kind: 'amount', path: 'query/deposit', form: 'fraction', times: null });
    const outcome = await night.night('2026-03-10');
    expect(outcome.result.run.verdict).toBe('breaks');
    expect(outcome.result.breaks.map((found) => `${found.class} ${found.reference}`)).toEqual([
      'bad_record A1D3',
      'ledger_only A1D3',
      'unexplained A1',
      'bad_record A2D3',
      'ledger_only A2D3',
      'unexplained A2',
    ]);
    expect(await countOf(night, 'deposit')).toBe(4);
  });

  test.each(['nul', 'lone_surrogate', 'fffe', 'rtl', 'long', 'formula', 'object', 'control'] as const)(
    'P16: a remark of poison (%s) blocks neither its page nor the report',
    async (form) => {
      night.sandbox.addFault({ kind: 'text', path: 'query/deposit', form, row: 'all', times: null });
      const outcome = await night.night('2026-03-10');
      expect(findingsOf(outcome)).toEqual([]);
      expect(await countOf(night, 'deposit')).toBe(6);
      const [workbook] = outcome.result.files;
      const { sheets } = await readWorkbook(workbook?.path ?? '');
      const formulas = sheets.flatMap(({ cells }) => [...cells.values()].map(({ formula }) => formula ?? ''));
      expect(formulas.filter((formula) => formula.includes('HYPERLINK("http://example'))).toEqual([]);
    },
  );

  test.each(['impossible', 'empty'] as const)(
    'P17: a depositTime that is none (%s) makes a bad record, and is never placed on a day by guess',
    async (form) => {
      night.sandbox.addFault({ kind: 'time', path: 'query/deposit', form, times: null });
      const outcome = await night.night('2026-03-10');
      expect(outcome.result.run.verdict).toBe('breaks');
      expect(findingsOf(outcome)).toEqual([
        'bad_record A1 A1D3 0',
        'ledger_only A1 A1D3 -300',
        'unexplained A1 A1 300',
        'bad_record A2 A2D3 0',
        'ledger_only A2 A2D3 -300',
        'unexplained A2 A2 300',
      ]);
    },
  );

  test('P17: a platform that answers other days than were asked leaves the window unread', async () => {
    night.sandbox.addFault({ kind: 'time', path: 'query/deposit', form: 'outside', times: null });
    const { result } = await night.night('2026-03-10');
    expect(result.run.verdict).toBe('incomplete');
    const failed = await night.db
      .selectFrom('sync_window')
      .select(['account_no', 'reason'])
      .where('state', '=', 'failed')
      .orderBy('account_no')
      .execute();
    const reason = '1 record lies outside the asked dates';
    expect(failed).toEqual([
      { account_no: 'A1', reason },
      { account_no: 'A2', reason },
    ]);
  });

  test('a deposit whose number is longer than any key is one record that cannot be read', async () => {
    const orderNo = Array.from({ length: 100 }, (_, at) =>
      createHash('sha256').update(String(at)).digest('hex'),
    ).join('');
    night.deposits({
      payeeAcctNo: 'A1',
      orderNo: 'LONG',
      amountFen: 500n,
      depositTime: '2026-03-10 09:00:00',
      listed: { set: { orderNo } },
    });
    const { result } = await night.night('2026-03-10');
    expect(result.accounts.map(({ accountNo, verdict }) => [accountNo, verdict])).toEqual([
      ['A1', 'breaks'],
      ['A2', 'reconciled'],
    ]);
    const faults = await night.db.selectFrom('record_fault').selectAll().execute();
    expect(faults.map(({ reference, reason }) => [reference, reason])).toEqual([
      [expect.stringMatching(/^#[0-9a-f]{16}$/), 'orderNo is longer than 128 characters'],
    ]);
  });
});
