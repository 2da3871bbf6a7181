/** Whether a period may be prepared, signed off or taken back as it stands, and what is said of it then. */
import { createHash } from 'node:crypto';
import { isSamePerson } from '../../src/core/config/config-people.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { SignOff, SignOffDetails, SignOffEvent } from '../../src/store/periods/sign-offs.ts';
import { shownDigest } from '../breaks/saying-options.ts';
import type { OpenPoint } from './open-points.ts';
import { counted } from '../../src/core/text.ts';

/** The period as it is read now. */
export interface ReadPeriod {
  digest: string;
  /** Its figures, its breaks and what is said of them, and its books are those that were signed, whichever version has them. */
  isAsSigned: boolean;
  trailNo: bigint;
  writtenNo: bigint;
  runs: readonly { run_id: string; verdict: SignOffDetails['verdict'] | null }[];
  open: readonly OpenPoint[];
}

export interface Signer {
  by: string;
  /** Where a list says who may approve, one person prepares and another one approves. */
  fourEyes: boolean;
  /** Why it is signed with what stands open; undefined: nothing may. */
  reason: string | undefined;
}

export type Decision =
  'unchanged' | { event: SignOffEvent; details: Omit<SignOffDetails, 'rowsNo'>; rowsNo?: number };

/** Points that an error names; all of them are counted. */
const NAMED_MAX = 20;

/** @throws WrongInput where it is signed off already with other figures, or something stands open and no reason is given */
export function decideToSign(known: SignOff | undefined, read: ReadPeriod, signer: Signer): Decision {
  const { digest, open } = read;
  const isSame = known?.details.digest === digest;
  if (known?.event === 'signed_off') {
    if (isSame || read.isAsSigned) return 'unchanged';
    throw new WrongInput(
      `${signedText(known)}; what it holds has changed since (recon verify shows it): take it back first (--withdraw --reason TEXT), then sign it anew`,
    );
  }
  const isReasonNew = signer.reason !== undefined && signer.reason !== known?.details.reason;
  const isSaidAnew = open.length > 0 && isReasonNew;
  if (
    known?.event === 'prepared' &&
    isAsPrepared(known, read) &&
    isSamePerson(known.by, signer.by) &&
    !isSaidAnew
  )
    return 'unchanged';
  const reason = signer.reason ?? '';
  if (open.length > 0 && signer.reason === undefined) {
    const named = open.slice(0, NAMED_MAX).map(({ text }) => text);
    const more = open.length > NAMED_MAX ? [`and ${open.length - NAMED_MAX} more`] : [];
    throw new WrongInput(
      `${counted(open.length, 'point stands', 'points stand')} open; sign with --with-open --reason TEXT, or close them first:`,
      [...named, ...more],
    );
  }
  return {
    event: signer.fourEyes ? 'prepared' : 'signed_off',
    details: {
      digest,
      trailNo: Number(read.trailNo),
      writtenNo: Number(read.writtenNo),
      preparedBy: signer.by,
      runs: read.runs.map((run) => run.run_id),
      verdict: read.runs.at(-1)?.verdict ?? 'incomplete',
      open: open.length,
      openDigest: digestOf(open),
      reason: open.length > 0 ? reason : '',
    },
  };
}

/** Of all that is signed or approved: what was said of the period last, what it holds, and what stands open. */
export function digestShown(known: SignOff | undefined, { digest, open }: ReadPeriod): string {
  return shownDigest([known?.no ?? 0, digest, open]);
}

/** @throws WrongInput where it is not what was shown */
export function requireShown(
  period: string,
  known: SignOff | undefined,
  { read, shown }: { read: ReadPeriod; shown: string | undefined },
): void {
  if (shown === undefined || shown === digestShown(known, read)) return;
  throw new WrongInput(
    `nothing was signed: ${period} is not what --dry-run showed as ${shown}; look at it again`,
  );
}

/** An account that was put on the list since changes no figure, and nobody has given a reason for it. */
function isAsPrepared({ details }: SignOff, { digest, open }: Pick<ReadPeriod, 'digest' | 'open'>): boolean {
  return details.digest === digest && details.openDigest === digestOf(open);
}

/** Which points stand open: one may have come where another went. */
function digestOf(open: readonly OpenPoint[]): string {
  return createHash('sha256').update(jsonText(open)).digest('hex');
}

/** @throws WrongInput where nothing awaits approval, of the same person, or of what has changed since */
export function decideToApprove(
  period: string,
  known: SignOff | undefined,
  { digest, open, by }: Pick<ReadPeriod, 'digest' | 'open'> & Pick<Signer, 'by'>,
): Decision {
  if (known?.event === 'signed_off' && known.details.digest === digest && isSamePerson(known.by, by))
    return 'unchanged';
  if (known?.event === 'signed_off') throw new WrongInput(`${signedText(known)} already`);
  if (known?.event !== 'prepared')
    throw new WrongInput(
      `${period} awaits no approval: it is prepared first, by a preparer (recon sign-off)`,
    );
  if (isSamePerson(known.by, by))
    throw new WrongInput(`${period} was prepared by ${maskPersonal(known.by)}: another person approves it`);
  if (!isAsPrepared(known, { digest, open }))
    throw new WrongInput(
      `what ${maskPersonal(known.by)} prepared of ${period} has changed since, its figures, breaks or files, or what else stands open: it is prepared anew first`,
    );
  const { rowsNo, ...details } = known.details;
  return { event: 'signed_off', details, rowsNo };
}

/** @throws WrongInput where there is nothing to take back */
export function decideToWithdraw(period: string, known: SignOff | undefined, reason: string): Decision {
  if (known === undefined) throw new WrongInput(`${period} was never signed off`);
  if (known.event === 'withdrawn')
    throw new WrongInput(`${period} was taken back by ${maskPersonal(known.by)} already`);
  const { rowsNo, ...details } = known.details;
  return { event: 'withdrawn', details: { ...details, reason }, rowsNo };
}

function signedText({ period, by, details }: SignOff): string {
  const prepared = isSamePerson(details.preparedBy, by)
    ? ''
    : `, prepared by ${maskPersonal(details.preparedBy)}`;
  return `${period.name} is signed off by ${maskPersonal(by)}${prepared}`;
}
