/** The classes a break or timing item can be of (docs/architecture.md 3.2), for filters on the command line. */
import { WrongInput } from '../../src/core/errors.ts';
import { nearest } from '../../src/core/nearest.ts';
import type { BreakClass, TimingClass } from '../../src/store/schema/schema.ts';

export type ItemClass = BreakClass | TimingClass;

/** A record, so that a class that is missing here does not compile. */
const CLASSES: Readonly<Record<ItemClass, true>> = {
  platform_only: true,
  ledger_only: true,
  amount: true,
  fee: true,
  state: true,
  duplicate: true,
  account: true,
  ambiguous: true,
  fee_invariant: true,
  batch_children: true,
  frozen: true,
  unexplained: true,
  opening: true,
  record_changed: true,
  record_vanished: true,
  state_regression: true,
  bad_record: true,
  period_changed: true,
  empty_suspect: true,
  settle_failed: true,
  unknown_state: true,
  voucher_missing: true,
  in_flight: true,
  pending: true,
  late: true,
  unknown_not_found: true,
};
const NAMES = Object.keys(CLASSES) as ItemClass[];

/** @throws WrongInput with the list of classes */
export function parseClassOption(text: string): ItemClass {
  const found = NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  const meant = nearest(text, NAMES);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(`--class ${JSON.stringify(text)} is no class${hint}: ${NAMES.join(', ')}`);
}
