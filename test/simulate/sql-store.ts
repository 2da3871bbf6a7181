/** The books of a simulation in a real database: a clone for itself, emptied for every seed. */
import { sql } from 'kysely';
import type { KyselyPlugin, RawBuilder } from 'kysely';
import { callLagMs } from '../../jobs/night/settle/settle-cooling.ts';
import type { Clock } from '../../src/core/ports.ts';
import { Stopped } from '../../src/core/errors.ts';
import { STARTED_ANEW } from '../../src/settlements/attempt-store.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import type { Basis } from '../../src/settlements/settle-intent.ts';
import { releaseLease, renewLease, takeLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { recheckRules } from '../../src/orders/order-due-next.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { sqlAttemptStore } from '../../src/settlements/settle-attempts.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { writableColumns } from '../helpers/writable-columns.ts';
import type { AttemptFacts, BookOptions, BookStore, OpenedBook } from './book-store.ts';
import { Killed } from './world/mortal-process.ts';
import { ZONE } from './world/profiles.ts';

const LEASE = 'settle';

/** All that asking and retrying write, in an order in which rows may be inserted. */
const TABLES = [
  'lease',
  'order_due',
  'order_alias',
  'transfer_batch',
  'transfer_order',
  'order_version',
  'order_state_seen',
  'order_fault',
  'raw_answer',
  'settle_attempt',
  'settle_event',
  'settle_evidence',
  'settle_guard',
  'settle_approval',
  'call_by_hand',
  'refund_denied',
] as const;

/** The statement of a change at which a process dies within it, at most. */
const STATEMENTS_MAX = 4;

export class SqlStore implements BookStore {
  readonly kind: 'postgres' | 'embedded';
  readonly #database: TestDatabase;
  readonly #listed = new Set<string>();
  /** The server itself runs on. */
  #starts = 1;

  private constructor(database: TestDatabase) {
    this.kind = database.url === undefined ? 'embedded' : 'postgres';
    this.#database = database;
  }

  static async open(database: TestDatabase): Promise<SqlStore> {
    const { db } = database;
    await sql`create schema copy`.execute(db);
    for (const table of TABLES) {
      await sql`create table ${copyOf(table)} (like ${sql.table(table)})`.execute(db);
    }
    await sql`insert into intake_file (file_id, kind, source, name, sha256, row_count, imported_at)
      values ('f1', 'accounts', 'simulation', 'accounts.csv', '', 0, '2026-01-01T00:00:00Z')`.execute(db);
    return new SqlStore(database);
  }

  async reset(accountNos: readonly string[]): Promise<void> {
    this.#starts = 1;
    await this.#empty();
    for (const accountNo of accountNos.filter((known) => !this.#listed.has(known))) {
      await sql`insert into account (account_no, file_id) values (${accountNo}, 'f1')`.execute(this.#db);
      this.#listed.add(accountNo);
    }
  }

  takeLease(holder: string, clock: Clock): Promise<Lease> {
    return takeLease(this.#db, { name: LEASE, holder, realClock: clock });
  }

  renewLease(lease: Lease, clock: Clock): Promise<void> {
    return renewLease(this.#db, lease, clock);
  }

  releaseLease(lease: Lease, clock: Clock): Promise<void> {
    return releaseLease(this.#db, lease, clock);
  }

  async expireLease(): Promise<void> {
    await sql`update lease set until = '2000-01-01T00:00:00Z' where name = ${LEASE}`.execute(this.#db);
  }

  async currentLease(): Promise<Lease> {
    const { rows } = await sql<{ fence: bigint; holder: string }>`
      select fence, holder from lease where name = ${LEASE}`.execute(this.#db);
    const { fence = 0n, holder = '' } = rows[0] ?? {};
    return { name: LEASE, holder, fence };
  }

  open({ lease, runId, profile, now }: BookOptions): OpenedBook {
    const breaking = new Breaking();
    const day = ZONE.dayOf(now());
    const book = sqlAttemptStore(this.#db.withPlugin(breaking), {
      lease,
      saving: { runId, day, today: day, zone: ZONE, rules: recheckRules(profile), keepsList: true },
      amountRule: profile.settle.amountRule,
      callLagMs: (slowestLookMs) => callLagMs(profile, slowestLookMs),
      now,
    });
    const serverStart = (): Promise<string> => Promise.resolve(this.#start());
    const judged = (basis: Basis): Basis => ({ ...basis, server: this.#serverOf(basis.server) });
    const told: SettlementAttemptStore = {
      ...book,
      serverStart,
      plan: async (planned, basis) => await book.plan(planned, judged(basis)),
      markSent: async (reqId, sent, basis) => await book.markSent(reqId, sent, judged(basis)),
      saveCall: async (call, server, allow) => await book.saveCall(call, this.#serverOf(server), allow),
    };
    return { book: told, breakOff: () => breaking.begin() };
  }

  async attempts(): Promise<readonly AttemptFacts[]> {
    const rows = await this.#db.selectFrom('settle_attempt').selectAll().orderBy('req_id').execute();
    return rows.map((row) => ({
      reqId: row.req_id,
      outOrderNo: row.out_order_no,
      attemptNo: row.attempt_no,
      amountFen: row.amount_fen,
      state: row.state,
      outcome: row.outcome ?? undefined,
      fence: row.fence,
      runId: row.run_id,
      note: row.note,
      closedAt: row.closed_at ?? undefined,
    }));
  }

  async snapshot(): Promise<void> {
    for (const table of TABLES) {
      await sql`delete from ${copyOf(table)}`.execute(this.#db);
      await sql`insert into ${copyOf(table)} select * from ${sql.table(table)}`.execute(this.#db);
    }
  }

  async restore({ isReplaced, isStarted }: { isReplaced: boolean; isStarted: boolean }): Promise<void> {
    await this.#empty();
    for (const [table, columns] of await writableColumns(this.#db, TABLES)) {
      const list = sql.join(columns.map((column) => sql.ref(column)));
      await sql`insert into ${sql.table(table)} (${list}) overriding system value
        select ${list} from ${copyOf(table)}`.execute(this.#db);
    }
    if (isStarted || isReplaced) this.#starts += 1;
    // A machine that is set back has its tables as they were, not written again.
    await sql`update settle_guard set written_by = pg_current_xact_id()::text::bigint`.execute(this.#db);
    if (isReplaced) await sql`update settle_guard set database_identity = 'another'`.execute(this.#db);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #start(): string {
    return `${this.#starts}/1`;
  }

  /** The server runs on, and only says that it was started: whoever judged it so is told what it would say. */
  #serverOf(server: string): string {
    if (server !== '' && server !== this.#start()) throw new Stopped(STARTED_ANEW);
    return '';
  }

  get #db(): Db {
    return this.#database.db;
  }

  async #empty(): Promise<void> {
    const deletes = TABLES.map((table, no) => sql`${sql.ref(`d${no}`)} as (delete from ${sql.table(table)})`);
    await sql`with ${sql.join(deletes)} select 1`.execute(this.#db);
  }
}

function copyOf(table: string): RawBuilder<unknown> {
  return sql.table(`copy.${table}`);
}

/** Breaks off at one of the next statements, so that the transaction they are in is undone. */
class Breaking implements KyselyPlugin {
  #statementsLeft = Infinity;
  #drawn = 0;

  begin(): void {
    this.#drawn += 1;
    this.#statementsLeft = 1 + (this.#drawn % STATEMENTS_MAX);
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.#statementsLeft -= 1;
    if (this.#statementsLeft <= 0) throw new Killed('killed within a change');
    return node;
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return Promise.resolve(result);
  }
}
