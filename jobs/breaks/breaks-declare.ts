/** `recon breaks …`: what needs a person, and what people say of it. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { bare, command } from '../cli/declare.ts';
import type { BreakListOptions } from './list-breaks.ts';
import type { EntriesOptions } from './entries/entries-command.ts';
import type { ExportOptions } from './export-breaks.ts';
import type { ImportOptions } from './import/import-breaks.ts';
import type { Saying } from './say.ts';
import type { WorkOptions } from './work-on-breaks.ts';

export function declareBreaks(): Command {
  const parent = bare('breaks', 'differences that need a person, and what people say of them');
  const list = command('list', 'lists breaks and timing items', 'recon breaks list --class platform_only');
  withFilter(list)
    .option('--all', 'closed ones too')
    .addHelpText('after', '  recon breaks list --status assigned --owner "Li Na" --age-min 8')
    .action(async (options: BreakListOptions) =>
      (await import('./list-breaks.ts')).listBreaksCommand(options),
    );
  parent.addCommand(list);
  parent.addCommand(
    command('show', 'one break with everything that happened to it', 'recon breaks show B0123456789abcde')
      .argument('<id>', 'the break')
      .action(async (id: string, options: CommonOptions) =>
        (await import('./list-breaks.ts')).showBreakCommand(id, options),
      ),
  );
  for (const said of sayings()) parent.addCommand(said);
  parent.addCommand(exporting());
  parent.addCommand(importing());
  parent.addCommand(proposing());
  return parent;
}

const ID = 'B0123456789abcde';
const REASON = ['--reason <text>', 'why (required)'] as const;

function sayings(): Command[] {
  return [
    saying('assign', 'says who is to work on them', [
      `${ID} --to "Li Na"`,
      '--class fee --to "Li Na" --dry-run',
    ]).option('--to <name>', 'who (required); one of RECON_PEOPLE where that is set'),
    saying('explain', 'says why they are there; holds until their amount or class changes', [
      `${ID} --reason "fee of March, booked on the 5th"`,
    ]).option(...REASON),
    saying('resolve', 'says that what ends them is done; a later night that finds one again opens it again', [
      `${ID} --reason "booked as V-2381"`,
    ]).option(...REASON),
    saying('write-off', 'proposes to write them off; another person approves it. The proof keeps them', [
      `${ID} --reason "rounding of the bank" --expires 2026-12-31`,
    ])
      .option(...REASON)
      .option('--expires <day>', 'last day on which it is in force, yyyy-MM-dd (required)'),
    saying('approve', 'approves write-offs that another person proposed', [
      `${ID} --by "Wang Wei"`,
      '--proposed --account 100001 --dry-run',
      '--proposed --account 100001 --shown 0123456789ab',
    ]).option('--shown <digest>', 'only if they are what --dry-run showed, which prints it'),
    saying('action', 'says what is proposed to be done about them; their status stays', [
      `${ID} --take correct_amount`,
    ]).option(
      '--take <action>',
      'book, reverse, correct_amount, correct_account, ask_platform, wait, or none (required)',
    ),
    saying('note', 'keeps a note beside them; their status stays', [
      `${ID} --text "asked the platform"`,
    ]).option('--text <text>', 'the note (required)'),
  ];
}

function exporting(): Command {
  const declared = command(
    'export',
    'writes sheet 差异 of a run as it is now, to be filled in and read back',
    'recon breaks export breaks.xlsx --owner "Li Na"',
  )
    .argument('<file>', 'written: .xlsx or .csv')
    .option('--run <id>', 'of this run; of the newest night when left out')
    .option('--day <day>', 'of the night of this day, yyyy-MM-dd');
  return withFilter(declared).action(async (file: string, options: ExportOptions) =>
    (await import('./export-breaks.ts')).exportBreaksCommand(file, options),
  );
}

function importing(): Command {
  return command(
    'import',
    'reads back what people wrote in sheet 差异 of a workbook or an export: all of it, or nothing where a cell is wrong',
    'recon breaks import reconciliation-2026-03-01.xlsx --by "Li Na" --dry-run',
  )
    .argument('<file>', 'the workbook of a night, its file of breaks, or an export; .xlsx or .csv')
    .option('--by <name>', 'who says so; RECON_USER when left out')
    .option('--expires <day>', 'last day of write-offs that are proposed without one, yyyy-MM-dd')
    .option('--dry-run', 'print what would change, and write nothing')
    .action(async (file: string, options: ImportOptions) =>
      (await import('./import/import-breaks.ts')).importBreaksCommand(file, options),
    );
}

function proposing(): Command {
  const declared = command(
    'entries',
    'proposes adjusting entries (补记分录) of explained breaks as a file for recon ledger import; books nothing',
    'recon breaks entries --account 100001 --out adjusting.csv',
  )
    .argument('[id...]', 'the breaks; or a filter; all that are explained when left out')
    .option('--out <file>', 'the file to be written, .csv (required)');
  return withFilter(declared).action(async (ids: string[], options: EntriesOptions) =>
    (await import('./entries/entries-command.ts')).breakEntriesCommand(ids, options),
  );
}

function saying(kind: Saying['kind'], description: string, examples: readonly string[]): Command {
  const [first = '', ...more] = examples.map((example) => `recon breaks ${kind} ${example}`);
  const declared = command(kind, description, first)
    .argument('[id...]', 'the breaks; or a filter instead')
    .option('--by <name>', 'who says so; RECON_USER when left out')
    .option('--dry-run', 'print what would change, and write nothing')
    .action(async (ids: string[], options: WorkOptions) =>
      (await import('./work-on-breaks.ts')).workOnBreaksCommand(kind, ids, options),
    );
  if (more.length > 0) declared.addHelpText('after', `  ${more.join('\n  ')}`);
  return withFilter(declared);
}

function withFilter(declared: Command): Command {
  return declared
    .option('--account <number>', 'only of this account')
    .option('--class <class>', 'only of this class')
    .option(
      '--status <status>',
      'only of this status: open, assigned, explained, resolved, written_off, expired',
    )
    .option('--owner <name>', 'only what this person has')
    .option('--age-min <days>', 'only what is at least so many days old', days)
    .option('--proposed', 'only those whose write-off awaits approval');
}

function days(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('An age is a number of days.');
}
