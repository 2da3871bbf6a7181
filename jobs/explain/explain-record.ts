/** A record of the platform, from the signed answer to the row of the ledger file. */
import { maskPersonal } from '../../src/core/mask.ts';
import type { Day, Zone } from '../../src/core/time.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';
import { findProofAcross } from '../../src/store/trace/account-proofs.ts';
import type { RecordKey } from '../../src/store/trace/bearers.ts';
import { listEntries, listMatchLines, listMovements } from '../../src/store/trace/money-path.ts';
import type { MatchLine, TracedEntry, TracedMovement } from '../../src/store/trace/money-path.ts';
import { findRecord, listFormerVersions, listRegistrations } from '../../src/store/trace/record-history.ts';
import type { FormerVersion, Registration, StoredRecord } from '../../src/store/trace/record-history.ts';
import { listAttempts, listFiledVouchers } from '../../src/store/trace/order-evidence.ts';
import type { FiledVoucher, TracedAttempt } from '../../src/store/trace/order-evidence.ts';
import { findAnswers } from '../../src/store/trace/signed-answers.ts';
import { answerShown } from './answer-place.ts';
import type { AnswerShown } from './answer-place.ts';
import { placesOfRun } from './run-places.ts';
import type { WorkbookPlace } from './run-places.ts';

export interface ExplainedRecord extends Omit<StoredRecord, 'answerSha256'> {
  answer: AnswerShown;
  formerVersions: (Omit<FormerVersion, 'answerSha256'> & { answer: AnswerShown })[];
  registrations: Registration[];
  attempts: TracedAttempt[];
  vouchers: FiledVoucher[];
  movements: ExplainedMovement[];
  matches: ExplainedMatch[];
}

export interface ExplainedMovement extends TracedMovement {
  day: Day;
  /** The proof that counts it; null: none has got so far. */
  proof: { runId: string; verdict: Verdict } | null;
  /** Where the workbook of that run has it. */
  workbook: WorkbookPlace | null;
}

export interface ExplainedMatch {
  accountNo: string;
  group: string;
  rule: string;
  outcome: MatchLine['outcome'];
  movementKeys: string[];
  entries: TracedEntry[];
}

export interface Explaining {
  db: Db;
  zone: Zone;
  profile: Profile;
  locale: 'zh-CN' | 'en';
  /** RECON_HOME: files are named below it. */
  home: string;
}

export async function explainRecord(
  explaining: Explaining,
  key: RecordKey,
): Promise<ExplainedRecord | undefined> {
  const { db } = explaining;
  const record = await findRecord(db, key);
  if (record === undefined) return undefined;
  const former = await listFormerVersions(db, key);
  const { answerSha256, ...stated } = record;
  const digests = [answerSha256, ...former.map((version) => version.answerSha256)];
  const answers = await findAnswers(db, digests);
  const numbers = [record.orderNo, record.outOrderNo];
  const of = { reference: key.number, accounts: accountsOf(explaining, record) };
  return {
    ...stated,
    counterparty: maskPersonal(stated.counterparty),
    answer: answerShown(answers, { sha256: answerSha256, numbers }),
    formerVersions: former.map(({ answerSha256: sha256, ...version }) => ({
      ...version,
      answer: answerShown(answers, { sha256, numbers }),
    })),
    registrations: await registrationsOf(db, record),
    attempts: record.kind === 'transfer' ? await listAttempts(db, key) : [],
    vouchers: await listFiledVouchers(db, { accounts: of.accounts, number: key.number }),
    movements: await movementsOf(explaining, record, of),
    matches: await matchesOf(db, of),
  };
}

/** Whoever may have gained or lost by it: both parties, and an account that bears the fees of others. */
function accountsOf({ profile }: Explaining, record: StoredRecord): string[] {
  const bearers = Object.values(profile.fees.bearer).flatMap((bearer) =>
    bearer.startsWith('acct:') ? [bearer.slice('acct:'.length)] : [],
  );
  const named = [record.accountNo, record.payeeAccountNo, ...bearers];
  return [...new Set(named.filter((accountNo) => accountNo !== ''))];
}

function registrationsOf(db: Db, { kind, outOrderNo, orderNo }: StoredRecord): Promise<Registration[]> {
  return kind === 'deposit' ? Promise.resolve([]) : listRegistrations(db, { kind, outOrderNo, orderNo });
}

interface Of {
  reference: string;
  accounts: readonly string[];
}

/** Of orders that share a number, its own alone. */
async function movementsOf(
  explaining: Explaining,
  record: StoredRecord,
  of: Of,
): Promise<ExplainedMovement[]> {
  const { db, zone } = explaining;
  const all = await listMovements(db, of);
  const own = all.filter(({ family, orderAccount, accountNo, key }) =>
    record.kind === 'deposit'
      ? family === 'deposit' && (accountNo === record.accountNo || key.includes(`:${record.accountNo}/`))
      : orderAccount === record.accountNo && (family === 'withdrawal') === (record.kind === 'withdrawal'),
  );
  const explained: ExplainedMovement[] = [];
  for (const movement of own) {
    const day = zone.dayOf(movement.at);
    const proof = await findProofAcross(db, movement.accountNo, { at: movement.at, day });
    const places = proof && (await placesOfRun(explaining, proof.runId));
    const workbook = places?.ofMovement(movement.family, movement.reference) ?? null;
    const known = proof === undefined ? null : { runId: proof.runId, verdict: proof.verdict };
    explained.push({ ...movement, day, proof: known, workbook });
  }
  return explained;
}

async function matchesOf(db: Db, of: Of): Promise<ExplainedMatch[]> {
  const lines = await listMatchLines(db, of);
  const entries = await listEntries(
    db,
    lines.flatMap(({ entryNo }) => (entryNo === null ? [] : [entryNo])),
  );
  const groups = Map.groupBy(lines, ({ accountNo, group }) => `${accountNo} ${group}`);
  return [...groups.values()].map((group) => matchOf(group, entries));
}

function matchOf(lines: readonly MatchLine[], entries: readonly TracedEntry[]): ExplainedMatch {
  const [first] = lines;
  if (first === undefined) throw new Error('Bug: a group has no line');
  const { accountNo, group, rule, outcome } = first;
  return {
    accountNo,
    group,
    rule,
    outcome,
    movementKeys: lines.flatMap(({ movementKey }) => (movementKey === null ? [] : [movementKey])),
    entries: entries.filter((entry) => lines.some(({ entryNo }) => entryNo === entry.entryNo)),
  };
}
