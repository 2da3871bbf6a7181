/**
 * `recon breaks assign`, `explain`, `resolve`, `write-off`, `approve`, `note`: all of the named breaks or none, each
 * as one event of the audit trail. No proof reads any of it (docs/reconciliation.md 3.13).
 */
import { WrongInput } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { openTrail } from '../../src/store/runs/audit-trail.ts';
import { findBreaks } from '../../src/store/runs/breaks.ts';
import type { DbOrTransaction } from '../../src/store/schema/schema.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { saidMask } from '../context/said-mask.ts';
import type { SaidMask } from '../context/said-mask.ts';
import { changesOf, changesText } from './changes.ts';
import { changeOf, said } from './say.ts';
import type { Change, Saying, Speaker, Weighed } from './say.ts';
import { parseSaying, parseShown, shownDigest } from './saying-options.ts';
import type { SayingOptions } from './saying-options.ts';
import { filterIn, parseSelection } from './selection.ts';
import type { FilterOptions, Selection } from './selection.ts';
import { ownerOf, whoActs } from './who.ts';
import { writeChanges } from './write-changes.ts';

export interface WorkOptions extends CommonOptions, FilterOptions, SayingOptions {
  by?: string;
  dryRun?: boolean;
  /** Of `approve`: the digest of what a dry run showed. */
  shown?: string;
}

/** Wrong breaks that are named; a filter may have found thousands. */
const FAULTS_MAX = 20;

interface Given {
  selection: Selection;
  saying: Saying;
  shown: string | undefined;
}

export function workOnBreaksCommand(
  kind: Saying['kind'],
  ids: readonly string[],
  options: WorkOptions,
): Promise<void> {
  const needs: CommandNeeds<Given> = {
    platform: false,
    arguments: ({ zone, clock }) => ({
      selection: parseSelection(ids, options),
      saying: parseSaying(kind, options, zone.dayOf(clock.wall())),
      shown: parseShown(options.shown),
    }),
  };
  return withContext(options, needs, async (context, given) => {
    const { settings, zone, clock, db } = context;
    const by = whoActs(settings, { by: options.by, role: kind === 'approve' ? 'approver' : 'preparer' });
    const { selection, shown } = given;
    const saying =
      given.saying.kind === 'assign'
        ? { ...given.saying, to: ownerOf(settings, given.saying.to) }
        : given.saying;
    const speaker = { by, today: zone.dayOf(clock.wall()) };
    const weighed =
      options.dryRun === true
        ? await weigh(db, { selection, saying, speaker })
        : await say(context, { selection, saying, speaker, shown });
    const mask = await saidMask(db);
    const digest = kind === 'approve' ? digestOf(weighed) : undefined;
    return outcomeOf(weighed, { dryRun: options.dryRun === true, by: mask(by), digest }, mask);
  });
}

interface Request {
  selection: Selection;
  saying: Saying;
  speaker: Speaker;
  /** Nothing is said unless it is what was shown. */
  shown?: string | undefined;
}

/** Weighs and writes while nobody else writes to the trail: what is read is what is changed. */
export function say({ db, clock }: Pick<Context, 'db' | 'clock'>, request: Request): Promise<Weighed> {
  return unitOfWork(db, async (trx) => {
    const head = await openTrail(trx);
    const weighed = await weigh(trx, request);
    const { shown } = request;
    if (shown !== undefined && shown !== digestOf(weighed))
      throw new WrongInput(
        `nothing was changed: what awaits approval is not what --dry-run showed as ${shown}; look at it again`,
      );
    await writeChanges(trx, weighed.changes, { by: request.speaker.by, at: clock.wall(), head });
    return weighed;
  });
}

/** @throws WrongInput naming the breaks of which it cannot be said */
async function weigh(db: DbOrTransaction, { selection, saying, speaker }: Request): Promise<Weighed> {
  // Of what a filter finds, only what awaits approval can be approved; what is named has to.
  const isFilter = selection.breakIds === undefined;
  const narrowed = isFilter && saying.kind === 'approve' ? { ...selection, isProposed: true } : selection;
  const filter = await filterIn(db, narrowed);
  const rows = await findBreaks(db, { ...filter, withClosed: !isFilter }, speaker.today);
  const known = new Set(rows.map((row) => row.break_id));
  const faults = (selection.breakIds ?? [])
    .filter((id) => !known.has(id))
    .map((id) => `there is no break ${JSON.stringify(id)}`);
  const changes: Change[] = [];
  for (const found of rows) {
    const one = said(found, saying, speaker);
    if (one === 'unchanged') continue;
    if ('fault' in one) faults.push(one.fault);
    else changes.push(changeOf(found, one, speaker));
  }
  if (faults.length === 0) return { changes, unchanged: rows.length - changes.length };
  const more = faults.length > FAULTS_MAX ? [`and ${faults.length - FAULTS_MAX} more`] : [];
  throw new WrongInput('nothing was changed:', [...faults.slice(0, FAULTS_MAX), ...more]);
}

/** Of what would be said, whoever says it: which breaks of which amounts, and the proposals word for word. */
function digestOf({ changes }: Weighed): string {
  const lines = changes
    .map(({ found, details }) => jsonText([found.break_id, found.class, found.difference_fen, details]))
    .toSorted();
  return shownDigest(lines);
}

function outcomeOf(
  weighed: Weighed,
  of: { dryRun: boolean; by: string; digest: string | undefined },
  mask: SaidMask,
): Outcome {
  const { changes, unchanged } = weighed;
  const { digest, ...rest } = of;
  return {
    status: 0,
    document: {
      schema: 1,
      ...rest,
      ...(digest === undefined ? {} : { digest }),
      changed: changes.length,
      unchanged,
      changes: changes.map((change) => changesOf(change, mask)),
    },
    text: changesText(weighed, { ...of, mask }),
  };
}
