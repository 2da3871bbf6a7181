/** `recon runs list` and `recon runs show`: what ran, and what it came to. */
import { WrongInput } from '../../src/core/errors.ts';
import path from 'node:path';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { nearest } from '../../src/core/nearest.ts';
import type { Files } from '../../src/core/ports.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { reasonText } from '../../src/reconcile/balance/reasons.ts';
import { findListedRun, latestRunIds, listRuns, readRunContents } from '../../src/store/runs/run-list.ts';
import type { ListedFile, ListedRun, RunContents, RunFilter } from '../../src/store/runs/run-list.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { runJob } from '../cli/command.ts';
import type { CommonOptions, Job } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { parseSpan } from '../context/day-arguments.ts';

export interface RunListOptions extends CommonOptions {
  day?: string;
  from?: string;
  to?: string;
  last?: number;
}

/** A screenful, where nobody says how many. */
const LISTED = 30;

/** Among so many a mistyped run is looked for. */
const MEANT_AMONG = 400;

export function listRunsCommand(options: RunListOptions): Promise<void> {
  return runJob(options, listRunsJob(options));
}

export function listRunsJob(options: RunListOptions): Job<RunFilter, { schema: 1; runs: ListedRun[] }> {
  return {
    needs: { platform: false, arguments: () => ({ ...parseSpan(options), limit: options.last ?? LISTED }) },
    work: async ({ db, zone }, filter) => {
      const runs = await listRuns(db, filter);
      return { status: 0, document: { schema: 1, runs }, text: listText(runs, zone) };
    },
  };
}

function listText(runs: readonly ListedRun[], zone: Zone): string {
  if (runs.length === 0) return 'no runs';
  return tableText(
    ['run', 'days', 'accounts', 'verdict', 'state', 'started', 'finished', 'superseded by'],
    runs.map((run) => [
      run.runId,
      daysText(run),
      run.accounts.length === 0 ? 'all' : String(run.accounts.length),
      run.verdict ?? '',
      stateText(run),
      zone.localText(run.startedAt),
      endText(run, zone),
      run.supersededBy ?? '',
    ]),
  );
}

/** A run whose files could not be written has its verdict, and is not done. */
function stateText({ state, step }: ListedRun): string {
  if (state === 'open') return `open, after ${step}`;
  return step === 'published' ? state : `${state}, not published`;
}

function endText({ publishedAt, finishedAt }: ListedRun, zone: Zone): string {
  const end = publishedAt ?? finishedAt;
  return end === null ? '' : zone.localText(end);
}

function daysText({ from, to }: ListedRun): string {
  return from === to ? from : `${from} to ${to}`;
}

export function showRunCommand(runId: string, options: CommonOptions): Promise<void> {
  return runJob(options, showRunJob(runId));
}

interface ShownContents extends Omit<RunContents, 'files'> {
  files: ShownFile[];
}

interface ShownFile {
  /** Where it lies now, or would. */
  path: string;
  /** Below RECON_HOME. */
  relativePath: string;
  sha256: string;
  /** When policy removed it; null: it was not removed, or was written again since. */
  prunedAt: Instant | null;
}

async function asLies(
  { path: relativePath, sha256, prunedAt }: ListedFile,
  home: string,
  disk: Files,
): Promise<ShownFile> {
  const file = path.join(home, relativePath);
  const isThere = prunedAt !== null && (await disk.size(file)) !== undefined;
  return { path: file, relativePath, sha256, prunedAt: isThere ? null : prunedAt };
}

export function showRunJob(runId: string): Job<void, { schema: 1; run: ListedRun } & ShownContents> {
  return {
    needs: { platform: false },
    work: async ({ db, zone, settings, files: disk }) => {
      const run = await findListedRun(db, runId);
      if (run === undefined) throw new WrongInput(await noSuchRun(db, runId));
      const { files: listed, ...found } = await readRunContents(db, runId);
      const files = await Promise.all(listed.map((file) => asLies(file, settings.home, disk)));
      const contents = { ...found, files };
      const text = `${runText(run, zone)}\n\n${contentsText(contents, zone)}`;
      return { status: 0, document: { schema: 1, run, ...contents }, text };
    },
  };
}

async function noSuchRun(db: Db, runId: string): Promise<string> {
  const meant = nearest(runId, await latestRunIds(db, MEANT_AMONG));
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `there is no run ${JSON.stringify(runId)}${hint}; "recon runs list" shows what there is`;
}

function runText(run: ListedRun, zone: Zone): string {
  const lines: [string, string][] = [
    ['run', run.runId],
    ['days', daysText(run)],
    ['accounts', run.accounts.length === 0 ? 'all' : run.accounts.join(', ')],
    ['verdict', run.verdict ?? 'none yet'],
    ['state', `${run.state}, last step ${run.step}`],
    ['begun', `${zone.localText(run.startedAt)}${run.begun > 1 ? `, ${run.begun} times` : ''}`],
    ['finished', endText(run, zone)],
    ['supersedes', run.supersedes ?? ''],
    ['superseded by', run.supersededBy ?? ''],
    ['profile', run.profileDigest],
  ];
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(13)}  ${value}`)
    .join('\n');
}

function contentsText({ accounts, found, windows, files }: ShownContents, zone: Zone): string {
  const table = tableText(
    ['account', 'verdict', 'platform', 'ledger', 'difference', 'unexplained', 'why'],
    accounts.map((line) => [
      line.accountNo,
      line.verdict,
      money(line.platformFen),
      money(line.ledgerFen),
      money(line.differenceFen),
      money(line.unexplainedFen),
      line.reason === '' ? '' : reasonText(line.reason),
    ]),
    { right: [2, 3, 4, 5] },
  );
  const counted = (counts: readonly { count: number }[], names: readonly string[]): string =>
    counts.map(({ count }, at) => `${names[at] ?? ''} ${count}`).join(' · ') || 'none';
  return [
    table,
    '',
    `found: ${counted(
      found,
      found.map((one) => one.class),
    )}`,
    `windows: ${counted(
      windows,
      windows.map((one) => one.state),
    )}`,
    ...files.map(
      (file) =>
        `written: ${file.path}${file.prunedAt === null ? '' : ` (pruned by policy on ${zone.dayOf(file.prunedAt)}; recon report --run writes it again)`}`,
    ),
  ].join('\n');
}

function money(fen: Fen | null): string {
  return fen === null ? '?' : yuanForPeople(fen);
}
