/** `recon ledger sources` and `recon ledger withdraw`. */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { withdrawLedger } from '../../src/intake/withdraw-ledger.ts';
import type { WithdrawResult } from '../../src/intake/withdraw-ledger.ts';
import { listLedgerFiles, listSources } from '../../src/store/intake/ledger-sources.ts';
import type { LedgerFile, LedgerSource } from '../../src/store/intake/ledger-sources.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { counted } from '../../src/core/text.ts';

export interface LedgerSourcesOptions extends CommonOptions {
  source?: string;
}

export interface LedgerWithdrawOptions extends CommonOptions {
  source?: string;
  yes?: boolean;
}

/** Years of daily files; who wants older ones reads the database. */
const FILES_LISTED_MAX = 1_000;

export function listSourcesCommand(options: LedgerSourcesOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const all = await listSources(db);
    const sources = all.filter(({ source }) => options.source === undefined || source === options.source);
    if (sources.length === 0 && options.source !== undefined) {
      throw new WrongInput(`there is no source "${options.source}"; "recon ledger sources" lists all`);
    }
    const files =
      options.source === undefined
        ? undefined
        : await listLedgerFiles(db, { source: options.source, limit: FILES_LISTED_MAX });
    const text = [sourcesText(sources, zone), ...(files ? [filesText(files, zone)] : [])].join('\n\n');
    return { status: 0, document: { schema: 1, sources, ...(files && { files }) }, text };
  });
}

function sourcesText(sources: readonly LedgerSource[], zone: Zone): string {
  return tableText(
    ['source', 'entries', 'pending', 'sum', 'booked from', 'to', 'files', 'last import', 'complete to'],
    sources.map((one) => [
      one.source,
      String(one.entries),
      String(one.pending),
      yuanForPeople(one.amountFen),
      dayText(one.firstBookedAt, zone),
      dayText(one.lastBookedAt, zone),
      String(one.files),
      timeText(one.lastImportedAt, zone),
      timeText(one.completeTo, zone),
    ]),
    { right: [1, 2, 3, 6] },
  );
}

function filesText(files: readonly LedgerFile[], zone: Zone): string {
  return tableText(
    ['file', 'id', 'rows', 'in the books', 'imported', 'state'],
    files.map((file) => [
      file.name,
      file.fileId,
      String(file.rows),
      String(file.entries),
      timeText(file.importedAt, zone),
      stateText(file, zone),
    ]),
    { right: [2, 3] },
  );
}

function stateText({ withdrawnAt, replaced }: LedgerFile, zone: Zone): string {
  if (withdrawnAt !== null) return `withdrawn ${zone.localText(withdrawnAt)}`;
  return replaced ? 'stands, replaced its days' : 'stands';
}

function timeText(at: Instant | null, zone: Zone): string {
  return at === null ? '' : zone.localText(at);
}

function dayText(at: Instant | null, zone: Zone): string {
  return at === null ? '' : zone.dayOf(at);
}

export function withdrawCommand(file: string | undefined, options: LedgerWithdrawOptions): Promise<void> {
  const needs = {
    platform: false,
    arguments: () => {
      if (file !== undefined || options.source !== undefined) return;
      throw new WrongInput('name what to withdraw: a file, or a whole --source NAME');
    },
  };
  return withContext(options, needs, async ({ db, files, zone, clock, log }) => {
    const { source, yes } = options;
    const confirmed = yes === true;
    const result = await withdrawLedger({ db, files, zone, clock, log, file, source, confirmed });
    return withdrawOutcome(result, zone);
  });
}

/** A whole source that was only looked at is nothing done: exit status 2, as of any other refusal. */
function withdrawOutcome(result: WithdrawResult, zone: Zone): Outcome {
  const { done, entries, openings, restored, source, file } = result;
  const what = file === null ? `of "${source}"` : `of "${source}" that ${file.name} brought`;
  const days =
    result.fromDay === null ? '' : `, booked from ${result.fromDay} to ${result.toDay ?? result.fromDay}`;
  const about = `${counted(entries, 'entry', 'entries')} ${what}${days}, ${yuanForPeople(result.amountFen)} yuan together`;
  const lines = [
    done ? `withdrawn: ${about}` : `nothing was done; this would withdraw ${about}. To do it: --yes`,
    ...(openings > 0 ? [`opening entries among them: ${openings}`] : []),
    ...(restored > 0 ? [`${restored} of them are again what an earlier file said`] : []),
    ...completeLine(result, zone),
  ];
  const text = lines.join('\n');
  return { status: done ? 0 : 2, document: result, text, isRefusal: !done };
}

function completeLine({ completeTo, completeNow, source, done }: WithdrawResult, zone: Zone): string[] {
  if (completeTo === null) return [];
  const stated = (to: Instant): string => `that "${source}" is complete to ${zone.localText(to)}`;
  if (!done) return [`it would no longer be stated ${stated(completeTo)}`];
  const gone = completeNow === completeTo ? [] : [`no longer stated: ${stated(completeTo)}`];
  return completeNow === null ? gone : [...gone, `it is still stated ${stated(completeNow)}`];
}
