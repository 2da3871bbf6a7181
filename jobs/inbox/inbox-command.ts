/** `recon inbox`: takes in what was delivered, as the start of a night does. */
import { WrongInput } from '../../src/core/errors.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { rehearseInbox, takeInbox } from './take-inbox.ts';
import type { InboxFile } from './take-inbox.ts';

export interface InboxOptions extends CommonOptions {
  dryRun?: boolean;
}

export function inboxCommand(options: InboxOptions): Promise<void> {
  const isDry = options.dryRun === true;
  return withContext(options, { platform: false }, async (context) => {
    const { inbox } = context.settings;
    if (inbox === undefined) throw new WrongInput('INTAKE_INBOX is not set: there is no folder to look at');
    return outcomeOf({
      inbox,
      isDry,
      files: await (isDry ? rehearseInbox : takeInbox)(context, inbox),
    });
  });
}

function outcomeOf(of: { inbox: string; isDry: boolean; files: InboxFile[] }): Outcome {
  const { inbox, isDry: dryRun, files } = of;
  const isWrong = files.some(({ outcome }) => outcome === 'failed' || outcome === 'misplaced');
  return { status: isWrong ? 1 : 0, document: { schema: 1, inbox, dryRun, files }, text: textOf(of) };
}

function textOf({ inbox, isDry, files }: { inbox: string; isDry: boolean; files: InboxFile[] }): string {
  if (files.length === 0) return `nothing has been delivered to ${inbox}`;
  const table = tableText(
    ['outcome', 'file', 'kind', 'source', 'rows', 'added', 'changed', 'moved to'],
    files.map(({ outcome, file, kind, source, rows, added, replaced, movedTo }) => [
      outcome,
      file,
      kind ?? '',
      source,
      rows === null ? '' : String(rows),
      rows === null ? '' : String(added),
      rows === null ? '' : String(replaced),
      movedTo ?? '',
    ]),
    { right: [4, 5, 6] },
  );
  const reasons = files
    .filter(({ reason }) => reason !== '')
    .map(({ file, outcome, reason }) => `\n${file} (${outcome}): ${reason}`);
  const alike = files.flatMap(({ file, lookAlikes }) =>
    lookAlikes.length === 0
      ? []
      : [
          `\nwarning: entries of ${file} look like what the books have already; whatever is booked twice counts twice`,
          ...lookAlikes.map((line) => `- ${line}`),
        ],
  );
  const dry = isDry ? ['\nnothing was taken in or moved (--dry-run)'] : [];
  return [table, ...reasons, ...alike, ...dry].join('\n');
}
