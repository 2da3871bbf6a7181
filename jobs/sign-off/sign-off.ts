/**
 * `recon sign-off`: a day or a month that is proven is signed off, with a digest of its figures, its breaks and how they
 * stand, and its files (docs/reconciliation.md 3.14). Nothing of it is ever edited: who takes a sign-off back says why.
 */
import type { Outcome, CommandNeeds } from '../cli/command.ts';
import { withContext } from '../cli/command.ts';
import { whoActs } from '../breaks/who.ts';
import type { Context } from '../context/context.ts';
import { saidMask } from '../context/said-mask.ts';
import { underLease } from '../context/under-lease.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { findSignOff, listPeriodEvents, listSignOffs } from '../../src/store/periods/sign-offs.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { decideToApprove, decideToSign, decideToWithdraw, digestShown, requireShown } from './decide.ts';
import type { Decision, ReadPeriod } from './decide.ts';
import { parseSignOff } from './sign-off-options.ts';
import type { Asked, SignOffOptions } from './sign-off-options.ts';
import { eventsText, shownSignOff, signedText, takenBackText } from './sign-off-text.ts';
import { signPeriod, withdraw } from './signing.ts';
import type { Weighed } from './signing.ts';

export type { SignOffOptions } from './sign-off-options.ts';

export function signOffCommand(options: SignOffOptions): Promise<void> {
  const needs: CommandNeeds<Asked> = {
    platform: false,
    arguments: ({ zone, clock }) => parseSignOff(options, zone.dayOf(clock.wall())),
  };
  return withContext(options, needs, async (context, asked) => {
    switch (asked.kind) {
      case 'list':
        return listSigned(context);
      case 'show':
        return showSigned(context, asked.period.name);
      case 'withdraw':
        return takeBack(context, asked, options);
      case 'sign':
      case 'approve':
        return sign(context, asked, options);
    }
  });
}

type Known = Awaited<ReturnType<typeof findSignOff>>;

type Signing = Extract<Asked, { kind: 'sign' | 'approve' }>;

/** A night that is at work would change what is signed. */
async function sign(context: Context, asked: Signing, options: SignOffOptions): Promise<Outcome> {
  const { settings } = context;
  const { period } = asked;
  const fourEyes = settings.people !== undefined;
  const by = whoActs(settings, { by: options.by, role: asked.kind === 'approve' ? 'approver' : 'preparer' });
  const decide = (known: Known, read: ReadPeriod): Decision => {
    const decision =
      asked.kind === 'approve'
        ? decideToApprove(period.name, known, { ...read, by })
        : decideToSign(known, read, { by, fourEyes, reason: asked.reason });
    if (decision !== 'unchanged') requireShown(period.name, known, { read, shown: asked.shown });
    return decision;
  };
  const dryRun = options.dryRun === true;
  // Who is to sign sees what stands open; what cannot be approved is shown to nobody as if it could.
  const look = (known: Known, read: ReadPeriod): Decision => {
    if (asked.kind === 'approve') decide(known, read);
    return 'unchanged';
  };
  const weighed = dryRun
    ? await signPeriod(context, { period, by: undefined, decide: look })
    : await underLease(context, RUN_LEASE, (at) => signPeriod(at, { period, by, decide }));
  return signOutcome(context, weighed, { dryRun, period: period.name });
}

async function signOutcome(
  { db, zone }: Pick<Context, 'db' | 'zone'>,
  { read, decision, signOff }: Weighed,
  { dryRun, period }: { dryRun: boolean; period: string },
): Promise<Outcome> {
  const done = decision === 'unchanged' ? decision : decision.event;
  const runs = read.runs.map(({ run_id: id, verdict }) => ({ id, verdict }));
  const open = read.open.map(({ what, of, text }) => ({ what, of, text }));
  const as = signOff === undefined ? null : shownSignOff(signOff, await saidMask(db));
  const { digest } = read;
  const shown = dryRun ? digestShown(signOff, read) : undefined;
  return {
    status: 0,
    document: {
      schema: 1,
      dryRun,
      period,
      done,
      digest,
      runs,
      open,
      signOff: as,
      ...(shown === undefined ? {} : { shown }),
    },
    text: signedText({ dryRun, period, done, digest, runs, open, signOff: as, zone, shown }),
  };
}

/** Who may approve may take back; what is only prepared, also who may prepare. */
async function takeBack(
  context: Context,
  { period, reason }: Extract<Asked, { kind: 'withdraw' }>,
  options: SignOffOptions,
): Promise<Outcome> {
  const known = await findSignOff(context.db, period.name);
  const role = known?.event === 'prepared' ? 'preparer' : 'approver';
  const by = whoActs(context.settings, { by: options.by, role });
  if (options.dryRun === true) throw new WrongInput('--dry-run goes with signing, not with --withdraw');
  const decide = (signOff: typeof known): Decision => decideToWithdraw(period.name, signOff, reason);
  const signOff = await withdraw(context, { period, by, decide });
  if (signOff === undefined) throw new Error(`Bug: ${period.name} was taken back and is not there`);
  const shown = shownSignOff(signOff, await saidMask(context.db));
  return {
    status: 0,
    document: { schema: 1, signOff: shown },
    text: takenBackText(shown, context.zone),
  };
}

async function listSigned({ db, zone }: Context): Promise<Outcome> {
  const mask = await saidMask(db);
  const signOffs = (await listSignOffs(db)).map((one) => shownSignOff(one, mask));
  return {
    status: 0,
    document: { schema: 1, signOffs },
    text: eventsText(signOffs, zone, 'no day or month was signed off yet'),
  };
}

async function showSigned({ db, zone }: Context, period: string): Promise<Outcome> {
  const mask = await saidMask(db);
  const events = (await listPeriodEvents(db, period)).map((event) => shownSignOff(event, mask));
  if (events.length === 0) throw new WrongInput(`${period} was never signed off`);
  return {
    status: 0,
    document: { schema: 1, period, events },
    text: eventsText(events, zone, ''),
  };
}
