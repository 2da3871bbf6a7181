/** How long what `recon prune` may remove is left at least: a setting for each kind. */
import type { AddFault, Given, Read } from './config-checks.ts';
import type { SettingName } from './setting-names.ts';

/** Each with its setting, in the order in which they are shown. */
export const RETENTION = {
  answers: 'RETAIN_ANSWERS_DAYS',
  versions: 'RETAIN_VERSIONS_DAYS',
  bundles: 'RETAIN_BUNDLES_DAYS',
  aside: 'RETAIN_ASIDE_DAYS',
  inbox: 'RETAIN_INBOX_DAYS',
  alerts: 'RETAIN_ALERTS_DAYS',
} as const satisfies Record<string, SettingName>;

export type RetainedKind = keyof typeof RETENTION;

export const RETAINED_KINDS = Object.keys(RETENTION) as RetainedKind[];

/** In days; undefined: nothing of that kind is ever pruned. */
export type Retention = Readonly<Record<RetainedKind, number | undefined>>;

/** Nights look back over the whole month before, and the schedule catches up on 31 days. */
const DAYS_MIN = 92;
const DAYS_MAX = 36_500;

export function readRetention(read: Read): Retention {
  const days = (kind: RetainedKind): number | undefined => read(RETENTION[kind], readDays);
  return {
    answers: days('answers'),
    versions: days('versions'),
    bundles: days('bundles'),
    aside: days('aside'),
    inbox: days('inbox'),
    alerts: days('alerts'),
  };
}

function readDays({ name, value }: Given, addFault: AddFault): number | undefined {
  if (value === 'keep') return undefined;
  const days = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (days >= DAYS_MIN && days <= DAYS_MAX) return days;
  addFault(`${name} must be days from ${DAYS_MIN} to ${DAYS_MAX}, or keep: ${JSON.stringify(value)}`);
  return undefined;
}
