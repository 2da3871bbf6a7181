/** How batches and withdrawals are asked for and spelled in answers (U27, U32, U34, U37, U48). */
import { isJsonObject, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { listMember } from '../../src/platform/decode-members.ts';
import { judged, leftOpen, listText } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import type { KnownNumbers } from './probe-facts.ts';
import { MADE_UP, isAccepted, saidBy, textOf } from './probe-line.ts';
import type { Answered, Heard } from './probe-line.ts';

const NO_BATCH = 'no batch is known: recon orders import FILE, or give --batch NO';
const NO_WITHDRAWAL = 'no withdrawal is known: recon orders import FILE, or give --withdrawal NO';

/** A transfer batch as the platform just stated it. */
export interface AskedBatch {
  biz: JsonObject;
  orders: readonly JsonObject[];
}

/** What was looked for on the platform; undefined with the reason why nothing was found. */
export type Sought<T> = { it: T; missing: '' } | { it: undefined; missing: string };

/** The first that the platform knows. */
export async function findBatch({ line, facts }: Probing): Promise<Sought<AskedBatch>> {
  let missing = NO_BATCH;
  for (const numbers of facts.batches) {
    const heard = await line.ask(
      'division/query',
      oneOf(numbers, { own: 'outBatchNo', platform: 'batchNo' }),
    );
    const orders = isAccepted(heard) ? (listMember(heard.biz, 'orderList') ?? []).filter(isJsonObject) : [];
    if (isAccepted(heard)) return { it: { biz: heard.biz, orders }, missing: '' };
    missing = `the platform does not show the batch: ${saidBy(heard)}; give --batch NO of another`;
  }
  return { it: undefined, missing };
}

export async function findWithdrawal({ line, facts }: Probing): Promise<Sought<Answered>> {
  let missing = NO_WITHDRAWAL;
  for (const numbers of facts.withdrawals) {
    const heard = await line.ask(
      'account/queryWithdraw',
      oneOf(numbers, { own: 'outOrderNo', platform: 'orderNo' }),
    );
    if (isAccepted(heard)) return { it: heard, missing: '' };
    missing = `the platform does not show the withdrawal: ${saidBy(heard)}; give --withdrawal NO of another`;
  }
  return { it: undefined, missing };
}

/** The company's own where there is one; never both (U27). */
export function oneOf({ own, platform }: KnownNumbers, names: { own: string; platform: string }): JsonObject {
  return own === undefined ? { [names.platform]: platform } : { [names.own]: own };
}

export async function probeOrders(
  at: Probing,
  { batch, withdrawal }: { batch: Sought<AskedBatch>; withdrawal: Sought<Answered> },
): Promise<Judged[]> {
  return [
    await bothNumbers(at, batch),
    payerSpelling(at, batch),
    settleStates(at, batch),
    await settlementAsWithdrawal(at, batch),
    feeSpelling(at, withdrawal),
  ];
}

/** Which of two numbers prevails shows when one of them is nobody's. */
async function bothNumbers(
  { line, profile }: Probing,
  { it: batch, missing }: Sought<AskedBatch>,
): Promise<Judged> {
  const subject = {
    u: 'U27',
    key: 'compat.bothIds',
    tried: 'division/query with both numbers, one of them made up',
  };
  if (batch === undefined) return leftOpen(profile, { ...subject, answer: missing });
  const [outBatchNo, batchNo] = [textOf(batch.biz['outBatchNo']), textOf(batch.biz['batchNo'])];
  if (outBatchNo === '' || batchNo === '') {
    return leftOpen(profile, { ...subject, answer: 'the answer does not state both numbers' });
  }
  const own = await line.ask('division/query', { outBatchNo, batchNo: MADE_UP });
  const platform = await line.ask('division/query', { outBatchNo: MADE_UP, batchNo });
  const answer = `own right: ${saidBy(own)}; platform's right: ${saidBy(platform)}`;
  if (own.kind === 'silent' || platform.kind === 'silent') return leftOpen(profile, { ...subject, answer });
  const found = isAccepted(own) ? 'own' : isAccepted(platform) ? 'platform' : 'refuse';
  const fits = profile.compat.bothIds === found;
  return judged(profile, { ...subject, answer, found, fits, change: { value: found } });
}

/** Spellings of a member seen in any of these objects. */
function spellings(objects: readonly JsonObject[], pattern: RegExp): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))]
    .filter((name) => pattern.test(name))
    .toSorted();
}

function payerSpelling({ profile }: Probing, { it: batch, missing }: Sought<AskedBatch>): Judged {
  const subject = { u: 'U32', key: 'compat.payerField', tried: 'members of the transfer orders of a batch' };
  if (batch === undefined) return leftOpen(profile, { ...subject, answer: missing });
  const seen = spellings(batch.orders, /^(?!payee)pa\w*acc?(?:oun)?t\w*no$/i);
  return spelled(profile, {
    ...subject,
    seen,
    known: profile.compat.payerField,
    unnamed: 'no member names the payer',
  });
}

function feeSpelling({ profile }: Probing, { it: withdrawal, missing }: Sought<Answered>): Judged {
  const subject = { u: 'U48', key: 'compat.feeNames', tried: 'members of a withdrawal' };
  if (withdrawal === undefined) return leftOpen(profile, { ...subject, answer: missing });
  const seen = spellings([withdrawal.biz], /fee(?!type)/i);
  return spelled(profile, {
    ...subject,
    seen,
    known: profile.compat.feeNames,
    unnamed: 'no member names the fee',
  });
}

/** A spelling that is not known yet is added to those that are. */
function spelled(
  profile: Probing['profile'],
  of: Pick<Judged, 'u' | 'key' | 'tried'> & {
    seen: readonly string[];
    known: readonly string[];
    unnamed: string;
  },
): Judged {
  const { u, key, tried, seen, known, unnamed } = of;
  if (seen.length === 0) return leftOpen(profile, { u, key, tried, answer: unnamed });
  const strangers = seen.filter((name) => !known.includes(name));
  const answer = strangers.length === 0 ? 'all of them are read' : `not read: ${strangers.join(', ')}`;
  const change = { value: [...known, ...strangers] };
  return judged(profile, {
    u,
    key,
    tried,
    answer,
    found: listText(seen),
    fits: strangers.length === 0,
    change,
  });
}

/** What a word means only the platform can say; that one is not known is worth knowing. */
function settleStates({ profile, facts }: Probing, { it: batch, missing }: Sought<AskedBatch>): Judged {
  const subject = {
    u: 'U34',
    key: 'settle.stateMap',
    tried: 'settleState of a batch and of the orders collected',
  };
  const shown = (batch?.orders ?? []).map((order) => textOf(member(order, 'settleState')));
  const seen = [...new Set([...facts.settleWords, ...shown])].filter((word) => word !== '').toSorted();
  const found = maskPersonal(seen.join(', '));
  if (seen.length === 0) {
    const answer =
      batch === undefined ? missing : 'no order shows one; give --batch NO of one that was settled';
    return leftOpen(profile, { ...subject, answer });
  }
  const strangers = seen.filter((word) => !Object.hasOwn(profile.settle.stateMap, word));
  if (strangers.length === 0) {
    return judged(profile, { ...subject, answer: 'every word has a meaning', found, fits: true });
  }
  const answer = `without a meaning, so never retried: ${maskPersonal(strangers.join(', '))}; ask the platform what they mean`;
  return leftOpen(profile, { ...subject, answer, found });
}

/** If it can be asked for, the fee of a settlement is visible after all. */
async function settlementAsWithdrawal(
  { line, profile }: Probing,
  { it: batch, missing }: Sought<AskedBatch>,
): Promise<Judged> {
  const inForce = 'a settlement cannot be asked for';
  const tried = 'account/queryWithdraw with the number of a settled transfer order';
  const subject = { u: 'U37', key: '', tried, inForce };
  if (batch === undefined) return leftOpen(profile, { ...subject, answer: missing });
  const settled = batch.orders.find((order) => textOf(member(order, 'settleState')) !== '');
  const outOrderNo = settled === undefined ? '' : textOf(member(settled, 'outOrderNo'));
  if (outOrderNo === '') {
    const answer = 'no order of the batch has a settlement; give --batch NO of one that was settled';
    return leftOpen(profile, { ...subject, answer });
  }
  const heard: Heard = await line.ask('account/queryWithdraw', { outOrderNo });
  const answer = saidBy(heard);
  if (heard.kind === 'silent') return leftOpen(profile, { ...subject, answer });
  const found = heard.isAccepted ? 'it shows the settlement with its fee' : 'it does not show settlements';
  return judged(profile, { ...subject, answer, found, fits: !heard.isAccepted });
}
