/** All questions in their order: who we are to the platform first, then what its answers look like. */
import { askAccounts, probeAccount } from './probe-account.ts';
import { probeAnswerSign } from './probe-answer-sign.ts';
import { probeClock } from './probe-clock.ts';
import { findDeposit, probeDays, probeNumber } from './probe-deposits.ts';
import type { Facts } from './probe-facts.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { greet } from './probe-greeting.ts';
import { MADE_UP } from './probe-line.ts';
import type { ProbeLine } from './probe-line.ts';
import { findBatch, findWithdrawal, probeOrders } from './probe-orders.ts';
import { probePages } from './probe-pages.ts';
import { probeRefusals, probeStatuses } from './probe-refusals.ts';
import { probeSigning } from './probe-signing.ts';
import { probeVoucher } from './probe-vouchers.ts';

/**
 * Asks the platform every open question that a harmless query can answer; stores nothing.
 * @returns findings in the order of their numbers
 * @throws Stopped when the platform cannot be asked at all: address, credential or clock
 */
export async function probe(line: ProbeLine, facts: Facts, isThorough: boolean): Promise<Judged[]> {
  const accountNo = facts.accounts[0]?.accountNo ?? MADE_UP;
  const greeting = await greet(line, accountNo);
  const { profile } = line.parts;
  const at: Probing = { line, profile, facts, greeting, isThorough, today: line.today() };
  const found = [...(await probeSigning(at)), ...(await probeClock(at)), ...(await probeRefusals(at))];
  const accounts = await askAccounts(at);
  found.push(...(await probeAccount(at, accounts)));
  const { finding, listed } = await probeNumber(at, accounts, await findDeposit(at, accounts));
  found.push(finding, ...(await probeDays(at, listed)), ...(await probePages(at, listed)));
  const orders = { batch: await findBatch(at), withdrawal: await findWithdrawal(at) };
  found.push(
    ...(await probeOrders(at, orders)),
    ...(await probeVoucher(at, { batch: orders.batch.it, withdrawal: orders.withdrawal.it, listed })),
  );
  found.push(...probeAnswerSign(at), probeStatuses(at));
  return found.toSorted((a, b) => questionNo(a) - questionNo(b));
}

function questionNo({ u }: Judged): number {
  return Number.parseInt(u.slice(1), 10);
}
