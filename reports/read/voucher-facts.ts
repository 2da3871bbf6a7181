/** Up to where a run knew the archive of vouchers, and by which rules it asked, as it recorded it itself. */
import { isJsonObject, member, parseJson } from '../../src/core/json.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';
import type { VoucherKind } from '../../src/store/schema/schema.ts';
import type { RunHead } from './read-run.ts';

/** What was written, asked for or bundled later is not part of the run. */
export interface VoucherFacts {
  /** The highest write number when its vouchers were archived. */
  writtenUpTo: bigint;
  endedAt: Instant;
  /** The day of that, by which waiting is counted. */
  endedDay: Day;
  kinds: readonly VoucherKind[];
  /** What was first asked for on that day or before had its time by then; undefined where the run kept none. */
  overBy: Day | undefined;
  /** Whether settlements were asked for at all; undefined where the run kept no rule. */
  settlementsAsked: boolean | undefined;
}

const KINDS: readonly VoucherKind[] = ['deposit', 'transfer', 'withdrawal', 'settlement'];
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Undefined where the run archived none. */
export function voucherFactsOf({ facts, assumptions }: RunHead, zone: Zone): VoucherFacts | undefined {
  const kept = isJsonObject(facts) ? member(facts, 'vouchers') : undefined;
  if (!isJsonObject(kept)) return undefined;
  const [writtenUpTo, endedAt] = [member(kept, 'writtenUpTo'), member(kept, 'endedAt')];
  if (typeof writtenUpTo !== 'number' || !Number.isSafeInteger(writtenUpTo)) return undefined;
  if (typeof endedAt !== 'string' || !INSTANT.test(endedAt)) return undefined;
  const rule = (key: string): string | undefined =>
    assumptions.find((assumption) => assumption.key === `vouchers.${key}`)?.value;
  const endedDay = zone.dayOf(endedAt);
  const withdrawType = rule('autoWithdrawType');
  return {
    writtenUpTo: BigInt(writtenUpTo),
    endedAt,
    endedDay,
    kinds: kindsOf(rule('kinds')),
    overBy: overByOf(endedDay, rule('retryDays')),
    settlementsAsked: withdrawType === undefined ? undefined : withdrawType !== 'none',
  };
}

function kindsOf(value: string | undefined): readonly VoucherKind[] {
  const listed = value === undefined ? undefined : parseJson(value);
  return Array.isArray(listed) ? KINDS.filter((kind) => listed.includes(kind)) : KINDS;
}

function overByOf(endedDay: Day, retryDays: string | undefined): Day | undefined {
  if (retryDays === undefined || !/^\d{1,3}$/.test(retryDays)) return undefined;
  return addDays(endedDay, -Number.parseInt(retryDays, 10));
}
