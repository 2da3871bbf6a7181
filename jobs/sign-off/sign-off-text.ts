/** Sign-offs as they are shown, as data and as text; what people said is masked. */
import { isSamePerson } from '../../src/core/config/config-people.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import type { SignOff, SignOffEvent } from '../../src/store/periods/sign-offs.ts';
import type { Verdict } from '../../src/store/schema/schema.ts';
import { tableText } from '../cli/table-text.ts';
import type { SaidMask } from '../context/said-mask.ts';
import type { OpenPoint } from './open-points.ts';

export interface ShownSignOff {
  period: string;
  event: SignOffEvent;
  by: string;
  at: Instant;
  preparedBy: string;
  verdict: Verdict;
  runs: string[];
  digest: string;
  /** Points that stood open. */
  open: number;
  reason: string;
  /** `NUMBER:DIGEST`: its own event, as `verify --trail` takes it. */
  trail: string;
}

export function shownSignOff(signOff: SignOff, mask: SaidMask): ShownSignOff {
  const { period, event, by, at, no, eventDigest, details } = signOff;
  const { verdict, runs, digest, open } = details;
  return {
    period: period.name,
    event,
    by: mask(by),
    at,
    preparedBy: mask(details.preparedBy),
    verdict,
    runs,
    digest,
    open,
    reason: mask(details.reason),
    trail: `${no}:${eventDigest}`,
  };
}

const DONE: Readonly<Record<SignOffEvent, string>> = {
  prepared: 'prepared',
  signed_off: 'signed off',
  withdrawn: 'taken back',
};

export interface SignedText {
  dryRun: boolean;
  period: string;
  done: SignOffEvent | 'unchanged';
  digest: string;
  runs: readonly { id: string; verdict: Verdict | null }[];
  open: readonly OpenPoint[];
  signOff: ShownSignOff | null;
  zone: Zone;
  /** Of a dry run: to be given back. */
  shown: string | undefined;
}

export function signedText(of: SignedText): string {
  const { period, digest, runs, open, signOff, shown, zone } = of;
  const last = runs.at(-1);
  const more = runs.length > 1 ? `, the last of ${runs.length}` : '';
  return [
    headText(of),
    `digest  ${digest}`,
    `run     ${last?.id ?? ''}${more}: ${last?.verdict ?? ''}`,
    ...(signOff === null ? [] : [`trail   ${signOff.trail}`]),
    open.length === 0 ? `open    nothing stands open in ${period}` : `open    ${open.length} points:`,
    ...open.map(({ text }) => `        ${text}`),
    ...(shown === undefined || signOff === null ? [] : [`${whoText(signOff, zone)}${reasonText(signOff)}`]),
    ...(shown === undefined ? [] : [`to sign this and nothing else: --shown ${shown}`]),
  ].join('\n');
}

function headText({ dryRun, period, done, signOff, zone }: SignedText): string {
  if (dryRun) return `${period} would be signed as follows; nothing was written`;
  if (signOff === null) return `${period}: nothing was written`;
  const what = whoText(signOff, zone);
  if (done === 'unchanged') return `${period} is so already: ${what}`;
  return done === 'prepared'
    ? `${period} ${what}; another person approves it: recon sign-off ${optionOf(period)} --approve --by NAME`
    : `${period} ${what}`;
}

function whoText({ event, by, at, preparedBy }: ShownSignOff, zone: Zone): string {
  const isOther = event === 'signed_off' && !isSamePerson(preparedBy, by);
  const prepared = isOther ? ` (prepared by ${preparedBy})` : '';
  return `${DONE[event]} by ${by}${prepared} at ${zone.localText(at)}`;
}

function reasonText({ reason }: ShownSignOff): string {
  return reason === '' ? '' : `: ${reason}`;
}

function optionOf(period: string): string {
  return period.length > 7 ? `--day ${period}` : `--month ${period}`;
}

export function takenBackText(signOff: ShownSignOff, zone: Zone): string {
  return `${signOff.period} ${whoText(signOff, zone)}: ${signOff.reason}`;
}

export function eventsText(events: readonly ShownSignOff[], zone: Zone, none: string): string {
  if (events.length === 0) return none;
  return tableText(
    ['period', 'what', 'by', 'prepared by', 'at', 'verdict', 'open', 'reason', 'digest', 'trail'],
    events.map(({ period, event, by, at, preparedBy, verdict, open, reason, digest, trail }) => [
      period,
      DONE[event],
      by,
      preparedBy,
      zone.localText(at),
      verdict,
      String(open),
      reason,
      digest.slice(0, 16),
      trail.slice(0, trail.indexOf(':')),
    ]),
    { right: [6, 9], widest: { 7: 40 } },
  );
}
