/** What each answer means for orders, batches and the list of what is due; pure, over what is known. */
import { unitText } from '../store/orders/order-claims.ts';
import { maskPersonal } from '../core/mask.ts';
import { accountsStated } from './account-spellings.ts';
import { asLeft, vanished } from './order-changes-faults.ts';
import { earliest, latest } from './order-changes-rows.ts';
import { observeWithdrawal } from './order-changes-withdrawal.ts';
import { dueAfterFailure, dueAfterLook, dueAfterNotFound, timesOf } from './order-due-next.ts';
import type { UnitSeen } from './order-due-next.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { WithdrawalRow } from './order-observations.ts';
import type { OrderAnswer, OrderSave, OrdersSaved } from './orders-answers.ts';
import { isOvertaken, platformNumber, unitsOf } from './other-looks.ts';
import { PendingWrites } from './pending-writes.ts';
import { judgeBatch, keepShown, keepUnclear } from './apply-batch-answer.ts';
import type { JudgedOrder } from './apply-batch-answer.ts';
import { notFoundAt } from './read-known-orders.ts';
import type { DueRow, OrderKey, Registration } from './read-known-orders.ts';
import type { KnownOrders } from './known-orders.ts';

export interface JudgedAnswers {
  drafts: PendingWrites;
  /** Transfer orders as the answers list them. */
  listed: JudgedOrder[];
  saved: Omit<OrdersSaved, 'failures' | 'overtaken'> & {
    failures: { unit: UnitKey; reason: string }[];
    overtaken: UnitKey[];
  };
}

export function applyAnswers(request: OrderSave, stock: KnownOrders): JudgedAnswers {
  const judged: JudgedAnswers = {
    drafts: new PendingWrites(),
    listed: [],
    saved: { transferOrders: 0, withdrawals: 0, changed: 0, failures: [], overtaken: [] },
  };
  for (const answer of request.answers) {
    keepUnread({ request, stock, judged }, answer);
    if (isOvertaken(stock.dues, answer)) {
      judged.saved.overtaken.push(answer.unit);
      keepWhatItShowed({ request, stock, judged }, answer);
    } else judgeAnswer({ request, stock, judged }, answer);
  }
  return judged;
}

interface Judging {
  request: OrderSave;
  stock: KnownOrders;
  judged: JudgedAnswers;
}

function judgeAnswer(judging: Judging, answer: OrderAnswer): void {
  if (answer.kind === 'batch' || answer.kind === 'withdrawal') {
    const misspelt = misspeltIn(judging, answer);
    if (misspelt !== undefined) return unusable(judging, answer, misspelt);
  }
  switch (answer.kind) {
    case 'batch': {
      const { request, stock, judged } = judging;
      const seen = judgeBatch(request, answer, { stock, drafts: judged.drafts });
      if (seen === undefined) return unusable(judging, answer, 'no order of the batch states its payer');
      judged.listed.push(...seen.listed);
      judged.saved.transferOrders += seen.listed.length;
      judged.saved.changed += seen.changed;
      return plan(judging, answer, seen);
    }
    case 'withdrawal':
      return judgeWithdrawal(judging, answer);
    case 'not_found':
      return judgeNotFound(judging, answer);
    case 'failed':
      return fail(judging, answer);
  }
}

/**
 * Of an answer that is overtaken, or cannot be kept: nothing but what it may have shown of settlements and refunds, which a
 * view that lags behind must not make forgotten.
 */
function keepWhatItShowed({ request, stock, judged: { drafts } }: Judging, answer: OrderAnswer): void {
  if (answer.kind !== 'batch') return;
  for (const unit of unitsOf(answer)) drafts.unkeptLook(unit, answer.moments);
  keepShown(request, answer, { stock, drafts });
}

/** Of an answer that cannot be taken at all, nor be told whose it is. */
function keepUnread({ stock, judged: { drafts } }: Judging, { unit, unread }: OrderAnswer): void {
  if (unread === undefined || unit.kind !== 'batch') return;
  drafts.unkeptLook(unit, unread);
  for (const row of stock.transfersOfUnit(unit)) keepUnclear({ stock, drafts }, row, unread);
}

/**
 * Nothing else of an answer that misspells an account is kept: it would be of an account that nobody proves. A name that the
 * company registered for this very order is its own word, and no misspelling.
 */
function misspeltIn({ stock }: Judging, answer: Found): string | undefined {
  const own = registrationsOf(stock, answer).flatMap((row) => [row.payerAccountNo, row.payeeAccountNo]);
  for (const stated of accountsStated(answer)) {
    const listed = stock.misspelt.get(stated);
    if (listed === undefined || own.includes(stated)) continue;
    return `the answer names account "${stated}", which differs from account ${listed} only in letter case or blanks`;
  }
  return undefined;
}

type Found = Extract<OrderAnswer, { kind: 'batch' | 'withdrawal' }>;

type WithdrawalAnswer = Extract<Found, { kind: 'withdrawal' }>;

function judgeWithdrawal(judging: Judging, answer: WithdrawalAnswer): void {
  const { request, stock, judged } = judging;
  const { withdrawal, unit, evidence, moments } = answer;
  const due = stock.dues.get(unitText(unit));
  const accountNo = withdrawal.accountNo || (due?.account_no ?? '');
  if (accountNo === '') return unusable(judging, answer, 'the withdrawal does not state its account');
  const outOrderNo = ownNumber(answer, stock);
  const known =
    knownWithdrawal(stock, { accountNo, outNo: outOrderNo }, answer) ??
    knownWithdrawal(stock, { accountNo: due?.account_no ?? '', outNo: outOrderNo }, answer);
  const observed = observeWithdrawal(known, {
    ...withdrawal,
    ...moments,
    day: request.day,
    accountNo,
    outOrderNo,
    // Asked for by the platform's number it need not repeat that either.
    orderNo: platformNumber(answer, stock.dues),
    remarks: [],
    submittedAt: registrationsOf(stock, answer)[0]?.submittedAt ?? due?.submitted_at ?? null,
    notFoundAt: notFoundAt(due, answer),
    answerSha256: evidence.sha256,
    signed: evidence.signed,
  });
  stock.keepWithdrawal(asLeft(known, observed, request));
  judged.saved.withdrawals += 1;
  if (judged.drafts.withdrawal(known, observed)) {
    judged.saved.changed += 1;
    judged.drafts.evidence.set(evidence.sha256, { ...evidence, accountNo });
  }
  const seen = {
    isOpen: observed.row.effective_state === 'open',
    mayComeBack: observed.row.effective_state === 'moved',
    hasNewMovement: known !== undefined && known.changes.length < observed.changes.length,
    needsRecheck: observed.faults.size > 0,
    contradicts: false,
  };
  return plan(judging, answer, { accountNo: observed.row.account_no, seen });
}

/** Asked for by its own number it need not repeat it; else the platform's number stands for it. */
function ownNumber({ withdrawal, unit, foundAs = unit }: WithdrawalAnswer, stock: KnownOrders): string {
  if (withdrawal.outOrderNo !== '') return withdrawal.outOrderNo;
  if (foundAs.numberKind === 'out') return foundAs.number;
  return stock.aliases.get(foundAs.number) ?? (withdrawal.orderNo || foundAs.number);
}

/** Under its own number, or under the platform's, where that was all that was known of it: it has one name. */
function knownWithdrawal(stock: KnownOrders, { accountNo, outNo }: OrderKey, answer: WithdrawalAnswer) {
  const askedAt = stock.dues.get(unitText(answer.unit))?.asked_at ?? null;
  const platformNo = platformNumber(answer, stock.dues);
  const standIn = stock.withdrawal({ accountNo, outNo: platformNo }, askedAt);
  return (
    stock.withdrawal({ accountNo, outNo }, askedAt) ??
    (standIn?.row.order_no === platformNo ? standIn : undefined)
  );
}

function plan(
  { request, stock, judged }: Judging,
  answer: Found,
  { accountNo, seen }: { accountNo: string; seen: UnitSeen },
): void {
  const due = stock.dues.get(unitText(answer.unit));
  const next = dueAfterLook(answer.unit.kind, timesOf(due), seen, request);
  judged.drafts.due({
    ...next,
    unit: answer.foundAs ?? answer.unit,
    formerly: answer.foundAs && answer.unit,
    accountNo,
    // Of two looks the later one bounds what comes next.
    askedAt: latest(answer.moments.askedAt, due?.asked_at ?? null),
    failure: '',
    notFoundSince: null,
    ...NOT_REFUSED,
  });
}

const NOT_REFUSED = { refusedSince: null, givenUpDay: null };

/** What is known already did not fail and is not gone: it is asked for again, and that it is missing is said. */
function judgeNotFound(judging: Judging, answer: Extract<OrderAnswer, { kind: 'not_found' }>): void {
  const { request, stock, judged } = judging;
  const { unit, moments } = answer;
  const due = stock.dues.get(unitText(unit));
  const since = due?.not_found_since ?? moments.seenAt;
  const registered = registrationsOf(stock, answer);
  const isKnown = due?.state === 'open' || due?.state === 'final';
  const next = dueAfterNotFound(
    timesOf(due),
    {
      submittedDay: request.zone.dayOf(earliest(since, due?.submitted_at ?? null)),
      isRefused: isRefusedToUs(registered),
    },
    request,
  );
  const known = due !== undefined && isKnown ? ordersOf(stock, answer, due) : [];
  for (const row of known) {
    const key = { subject: 'transfer' as const, accountNo: row.account_no, outNo: row.out_order_no };
    const open = stock.faultsOf(key);
    if (moments.sentAt < row.seen_at) continue;
    judged.drafts.faults(key, open, vanished(open, 'the platform does not know its number any more'));
  }
  judged.drafts.due({
    ...next,
    unit,
    formerly: undefined,
    accountNo: due?.account_no ?? '',
    // What is known was not gone at this look for certain; what is not known was not there.
    askedAt: isKnown ? due.asked_at : latest(moments.askedAt, due?.asked_at ?? null),
    failure: '',
    notFoundSince: since,
    ...NOT_REFUSED,
  });
}

/** The company was told no, of every order it registered there. */
function isRefusedToUs(registered: readonly Registration[]): boolean {
  return registered.length > 0 && registered.every(({ outcome }) => outcome === 'refused');
}

function registrationsOf(stock: KnownOrders, { unit }: OrderAnswer) {
  const { number, numberKind } = unit;
  const isNamed = (own: string, platform: string): boolean =>
    numberKind === 'out' ? own === number : platform === number;
  return stock.registered.filter((row) =>
    unit.kind === 'batch'
      ? row.kind === 'transfer' && isNamed(row.outBatchNo, row.batchNo)
      : row.kind === 'withdrawal' && isNamed(row.outOrderNo, row.orderNo),
  );
}

function ordersOf(
  stock: KnownOrders,
  { unit }: OrderAnswer,
  due: DueRow,
): readonly Pick<WithdrawalRow, 'account_no' | 'out_order_no' | 'seen_at'>[] {
  if (unit.kind === 'batch') return stock.transfersOfUnit(unit);
  const alias = unit.numberKind === 'out' ? undefined : stock.aliases.get(unit.number);
  const [known] = [alias ?? unit.number, unit.number].flatMap(
    (outNo) => stock.withdrawal({ accountNo: due.account_no, outNo }, null) ?? [],
  );
  return known === undefined ? [] : [known.row];
}

/** Enough to see what is wrong; a hostile text must not fill the list. */
const REASON_LENGTH_MAX = 500;

/** An answer that cannot be kept shows the order no more than a refusal does. */
function unusable(judging: Judging, answer: Found, reason: string): void {
  keepWhatItShowed(judging, answer);
  fail(judging, { kind: 'failed', unit: answer.unit, reason, refusedAt: answer.moments.seenAt });
}

/** What was answered before is kept; the run that got no answer is incomplete until it is given up. */
function fail({ request, stock, judged }: Judging, answer: Extract<OrderAnswer, { kind: 'failed' }>): void {
  const { unit, reason, refusedAt } = answer;
  const { zone, today } = request;
  const due = stock.dues.get(unitText(unit));
  const failure = maskPersonal(reason).slice(0, REASON_LENGTH_MAX);
  judged.saved.failures.push({ unit, reason: failure });
  const accountNo = due?.account_no ?? '';
  const failingSince = due?.refused_since ?? refusedAt ?? zone.dayStart(today);
  const next = dueAfterFailure(
    { ...timesOf(due), givenUpDay: due?.given_up_day ?? null },
    {
      submittedDay: zone.dayOf(earliest(failingSince, due?.submitted_at ?? null)),
      failingSince: zone.dayOf(failingSince),
      how: refusedAt === undefined ? 'unread' : answer.isAboutUs === true ? 'about_us' : 'refused',
      isRefused: isRefusedToUs(registrationsOf(stock, answer)),
      isNobodys: accountNo === '',
    },
    request,
  );
  judged.drafts.due({
    ...next,
    unit,
    formerly: undefined,
    accountNo,
    askedAt: due?.asked_at ?? null,
    failure,
    notFoundSince: due?.not_found_since ?? null,
    refusedSince: failingSince,
  });
}
