/** Which breaks a command is about: by their ids or by a filter. */
import { WrongInput } from '../../src/core/errors.ts';
import { nearest } from '../../src/core/nearest.ts';
import { listOwners } from '../../src/store/runs/breaks.ts';
import type { BreakFilter } from '../../src/store/runs/breaks.ts';
import type { DbOrTransaction, WorkStatus } from '../../src/store/schema/schema.ts';
import { requireAccount } from '../../src/store/intake/accounts.ts';
import { parseClassOption } from './break-classes.ts';

export interface FilterOptions {
  account?: string;
  class?: string;
  status?: string;
  owner?: string;
  ageMin?: number;
  proposed?: boolean;
}

/** A record, so that a status that is missing here does not compile. */
const STATUSES: Readonly<Record<WorkStatus, true>> = {
  open: true,
  assigned: true,
  explained: true,
  resolved: true,
  written_off: true,
  expired: true,
};
const STATUS_NAMES = Object.keys(STATUSES) as WorkStatus[];

/** What is asked for, before the books say what it is there. */
export type Selection = Omit<BreakFilter, 'withClosed' | 'owners'> & { owner?: string | undefined };

/** As the books have it: that account, and the person's name in every spelling. @throws WrongInput without such an account */
export async function filterIn(
  db: DbOrTransaction,
  { owner, ...filter }: Selection,
): Promise<Omit<BreakFilter, 'withClosed'>> {
  if (filter.accountNo !== undefined) await requireAccount(db, filter.accountNo);
  return { ...filter, owners: owner === undefined ? undefined : await listOwners(db, owner) };
}

/** @throws WrongInput for a class or status that is none */
export function parseFilter(options: FilterOptions): Selection {
  return {
    accountNo: options.account,
    itemClass: options.class === undefined ? undefined : parseClassOption(options.class),
    status: options.status === undefined ? undefined : parseStatus(options.status),
    owner: options.owner?.trim(),
    ageMinDays: options.ageMin,
    isProposed: options.proposed,
  };
}

/** @throws WrongInput when ids and filter are both given, or neither */
export function parseSelection(ids: readonly string[], options: FilterOptions): Selection {
  const filter = parseFilter(options);
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  if (ids.length > 0 && hasFilter)
    throw new WrongInput('name breaks by their ids or by a filter, not by both');
  if (ids.length > 0) return { breakIds: [...new Set(ids)] };
  if (hasFilter) return filter;
  throw new WrongInput(
    'name the breaks: by their ids, or by --account, --class, --status, --owner, --age-min, --proposed',
  );
}

function parseStatus(text: string): WorkStatus {
  const found = STATUS_NAMES.find((name) => name === text.replaceAll('-', '_'));
  if (found !== undefined) return found;
  const meant = nearest(text, STATUS_NAMES);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(`--status ${JSON.stringify(text)} is no status${hint}: ${STATUS_NAMES.join(', ')}`);
}
