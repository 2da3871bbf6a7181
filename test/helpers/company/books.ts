/**
 * A company's day in a test database: deposits, ledger entries, balances and days proven, written as the job
 * writes them, and the proof run over them.
 */
import { addDays } from '../../../src/core/time.ts';
import { match } from '../../../src/reconcile/match/match.ts';
import { post } from '../../../src/reconcile/post/post.ts';
import type { FeeBearer, PostingRules } from '../../../src/reconcile/post/posting-rules.ts';
import { proveApart } from '../../../src/reconcile/prove/prove-apart.ts';
import type { Proof } from '../../../src/reconcile/prove/prove.ts';
import { saveDeposits } from '../../../src/store/deposits/deposits.ts';
import type { RecordFault } from '../../../src/store/deposits/record-faults.ts';
import { openRun, saveStep, saveVerdict } from '../../../src/store/runs/runs.ts';
import type { Db, LedgerKind } from '../../../src/store/schema/schema.ts';
import { takeWriteNo } from '../../../src/store/database/writing.ts';
import { factOf } from './deposit-line.ts';
import type { DepositLine } from './deposit-line.ts';
import { postingRules } from './order-books.ts';
import { at, zone } from '../service-time.ts';

export { at, zone };

export interface EntryLine {
  id: string;
  amountFen: bigint;
  at: string;
  kind?: LedgerKind;
  reference?: string;
  counterparty?: string;
  status?: 'posted' | 'pending';
}

export interface NightOptions {
  /** Of a backfill. */
  from?: string;
  accounts?: readonly string[];
  /** Default: the profile's. */
  rules?: PostingRules;
  /** Default auto. */
  model?: 'auto' | 'frozen' | 'debited';
  /** Local time of the proof; default 02:00 of the day after. */
  provedAt?: string;
  /** The books are complete only to an instant before the cut. */
  ledgerIncomplete?: string;
}

export class Books {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async account(accountNo: string, opening?: { fen: bigint; at: string }): Promise<void> {
    const file = {
      file_id: 'f1',
      kind: 'accounts' as const,
      source: 'test',
      name: 'accounts.csv',
      sha256: 'aa',
    };
    await this.#db
      .insertInto('intake_file')
      .values({
        ...file,
        row_count: 1,
        spans_from: null,
        spans_to: null,
        imported_at: at('2026-01-01 00:00:00'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#db
      .insertInto('account')
      .values({
        account_no: accountNo,
        file_id: 'f1',
        opening_fen: opening?.fen ?? null,
        opening_at: opening ? at(opening.at) : null,
      })
      .execute();
  }

  async deposits(
    accountNo: string,
    lines: readonly DepositLine[],
    runId = 'seed',
    day = '2026-03-01',
  ): Promise<void> {
    const deposits = lines.map((line) => factOf(accountNo, line));
    await saveDeposits(this.#db, { runId, day, deposits, faults: [], windows: [] });
  }

  async faults(faults: readonly RecordFault[], day = '2026-03-01'): Promise<void> {
    await saveDeposits(this.#db, { runId: 'seed', day, deposits: [], faults, windows: [] });
  }

  /** New entries, or new versions of entries that are there. */
  async entries(accountNo: string, lines: readonly EntryLine[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const writtenNo = await takeWriteNo(trx);
      for (const line of lines) {
        const { version } = (await trx
          .updateTable('ledger_entry')
          .set({ current: false, written_no: writtenNo })
          .where('entry_id', '=', line.id)
          .where('current', '=', true)
          .returning('version')
          .executeTakeFirst()) ?? { version: 0 };
        await trx
          .insertInto('ledger_entry')
          .values({
            account_no: accountNo,
            source: 'erp',
            entry_id: line.id,
            version: version + 1,
            kind: line.kind ?? 'deposit',
            amount_fen: line.amountFen,
            reference: line.reference ?? '',
            counterparty: line.counterparty ?? '',
            booked_at: at(line.at),
            status: line.status ?? 'posted',
            file_id: 'f1',
            written_no: writtenNo,
          })
          .execute();
      }
    });
  }

  async withdraw(entryId: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('ledger_entry')
        .set({ current: false, withdrawn: true, written_no: await takeWriteNo(trx) })
        .where('entry_id', '=', entryId)
        .execute();
    });
  }

  async balance(
    accountNo: string,
    taken: {
      at: string;
      fen: bigint | null;
      state?: 'stable' | 'moving' | 'absent';
      runId?: string;
      /** Before the first reading; default: not known, as in old rows. */
      openedAt?: string;
      closedAt?: string;
      frozenFen?: bigint;
    },
  ): Promise<void> {
    await this.#db
      .insertInto('balance_snapshot')
      .values({
        account_no: accountNo,
        taken_at: at(taken.at),
        closed_at: at(taken.closedAt ?? taken.at),
        opened_at: taken.openedAt === undefined ? null : at(taken.openedAt),
        run_id: taken.runId ?? `snapshot-${taken.at}`,
        purpose: 'snapshot',
        balance_fen: taken.fen,
        frozen_fen: taken.frozenFen ?? 0n,
        available_fen: taken.fen === null ? null : taken.fen - (taken.frozenFen ?? 0n),
        account_state: '1',
        state: taken.state ?? 'stable',
        tries: 1,
        signed: true,
        answer_sha256: '',
      })
      .execute();
  }

  /** All days from … to (both included) were read in verified passes. */
  async proven(accountNo: string, from: string, to: string): Promise<void> {
    for (let day = from; day <= to; day = addDays(day, 1)) {
      await this.#db
        .insertInto('sync_day')
        .values({
          account_no: accountNo,
          day,
          record_count: 0,
          sum_fen: 0n,
          digest: '',
          verified_run: 'seed',
          verified_at: at('2026-03-01 00:00:00'),
          sealed_run: null,
          sealed_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  /** Posts, matches and proves a day (or a range), as a night does. */
  async night(
    day: string,
    options: NightOptions & { bearer?: FeeBearer } = {},
  ): Promise<Proof & { runId: string }> {
    const { rules = postingRules(options.bearer && { bearers: { deposit: options.bearer } }) } = options;
    await post(this.#db, rules);
    await match(this.#db, zone.name);
    return this.proof(day, options);
  }

  async proof(day: string, options: NightOptions = {}): Promise<Proof & { runId: string }> {
    const from = options.from ?? day;
    const job = from === day ? 'nightly' : 'backfill';
    const accounts = await this.#db.selectFrom('account').selectAll().orderBy('account_no').execute();
    const chosen = accounts.filter(({ account_no: no }) => options.accounts?.includes(no) ?? true);
    const moment = at(options.provedAt ?? `${addDays(day, 1)} 02:00:00`);
    return this.#db.transaction().execute(async (trx) => {
      const subject = { job, fromDay: from, toDay: day, accounts: '' } as const;
      const { run } = await openRun(trx, subject, {
        fence: 1n,
        clockAt: moment,
        startedAt: moment,
        settingsDigest: '',
        profileDigest: '',
        assumptions: '[]',
      });
      const proof = await proveApart(trx, {
        runId: run.run_id,
        job,
        fromDay: from,
        toDay: day,
        at: moment,
        zone,
        span: { fromDay: from, toDay: day, from: zone.dayStart(from), cut: zone.dayStart(addDays(day, 1)) },
        accounts: chosen.map((account) => ({
          accountNo: account.account_no,
          replacedBy: account.replaced_by ?? undefined,
          opening:
            account.opening_fen === null || account.opening_at === null
              ? undefined
              : { fen: account.opening_fen, at: account.opening_at },
        })),
        rules: {
          observedMinutes: 15,
          listsAreVerified: true,
          agingDays: 3,
          unknownGraceMinutes: 30,
          inflightModel: options.model ?? 'auto',
          posting: options.rules ?? postingRules(),
        },
        ledgerIncomplete: options.ledgerIncomplete,
      });
      const state = proof.verdict === 'incomplete' ? 'incomplete' : 'finished';
      await saveVerdict(trx, run, {
        state,
        verdict: proof.verdict,
        finishedAt: moment,
        outcomeDigest: proof.digest,
      });
      await saveStep(trx, run.run_id, 'published');
      return { ...proof, runId: run.run_id };
    });
  }

  /** What a run found, without the parts a test does not care about: `class account reference difference`. */
  async found(runId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('finding')
      .selectAll()
      .where('run_id', '=', runId)
      .orderBy('account_no')
      .orderBy('class')
      .orderBy('reference')
      .orderBy('item_key')
      .execute();
    return rows.map((row) => `${row.class} ${row.account_no} ${row.reference} ${row.difference_fen}`);
  }
}
