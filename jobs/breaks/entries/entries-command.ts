/** `recon breaks entries`: proposes adjusting entries of explained breaks as a ledger file; nothing is booked here. */
import path from 'node:path';
import { csvCell } from '../../../src/core/csv-cell.ts';
import { WrongInput } from '../../../src/core/errors.ts';
import { yuanForPeople, yuanText } from '../../../src/core/fen.ts';
import type { Zone } from '../../../src/core/time.ts';
import { findBreaks } from '../../../src/store/runs/breaks.ts';
import { findExplained } from '../../../src/store/runs/explained-breaks.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { withContext } from '../../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../../cli/command.ts';
import { tableText } from '../../cli/table-text.ts';
import { keptText, neverOver } from '../../night/publish/published-files.ts';
import { saidMask } from '../../context/said-mask.ts';
import type { SaidMask } from '../../context/said-mask.ts';
import { filterIn, parseFilter, parseSelection } from '../selection.ts';
import type { FilterOptions, Selection } from '../selection.ts';
import { adjustingEntries, grossOf } from './adjusting-entries.ts';
import type { AdjustingEntry } from './adjusting-entries.ts';
import { counted } from '../../../src/core/text.ts';

export interface EntriesOptions extends CommonOptions, FilterOptions {
  out?: string;
}

interface Given {
  selection: Selection;
  out: string;
}

export function breakEntriesCommand(ids: readonly string[], options: EntriesOptions): Promise<void> {
  const needs: CommandNeeds<Given> = {
    platform: false,
    arguments: () => ({
      selection: ids.length > 0 ? parseSelection(ids, options) : parseFilter(options),
      out: requiredOut(options.out),
    }),
  };
  return withContext(options, needs, async (context, { selection, out }) => {
    const { db, zone, clock, profile } = context;
    const breakIds = await explainedIds(db, selection, zone.dayOf(clock.wall()));
    const entries: AdjustingEntry[] = [];
    const left: { id: string; class: string; why: string }[] = [];
    for (const found of await findExplained(db, { breakIds, timeZone: zone.name })) {
      const proposed = adjustingEntries(found);
      if ('why' in proposed) left.push({ id: found.break_id, class: found.class, why: proposed.why });
      else entries.push(...proposed);
    }
    if (entries.length === 0)
      throw new WrongInput('there is nothing to propose, and nothing was written:', [
        ...left.map(({ id, class: itemClass, why }) => `${id} (${itemClass}): ${why}`),
        ...(left.length === 0
          ? ['no break of that kind is explained: recon breaks explain ID --reason TEXT']
          : []),
      ]);
    const file = path.resolve(out);
    const { files, movedAside } = neverOver(context.files, context.log);
    await files.writeWhole(
      file,
      ledgerCsv(entries, { zone, adjustmentKind: profile.ledger.kinds.adjustment, mask: await saidMask(db) }),
    );
    const document = { schema: 1, file, entries: entries.map(entryShown), left, movedAside };
    const text = [entriesText(out, entries, left), ...keptText(movedAside)].join('\n');
    return { status: 0, document, text };
  });
}

function requiredOut(out: string | undefined): string {
  if (out !== undefined && path.extname(out).toLowerCase() === '.csv') return out;
  throw new WrongInput('--out is missing or does not end in .csv: it takes the file to be written');
}

/** @throws WrongInput naming those that are named and not explained */
async function explainedIds(db: Db, selection: Selection, today: string): Promise<string[]> {
  const rows = await findBreaks(
    db,
    { ...(await filterIn(db, selection)), withClosed: selection.breakIds !== undefined },
    today,
  );
  const isExplained = new Set(
    rows.flatMap((row) => (row.status === 'open' && row.work_status === 'explained' ? [row.break_id] : [])),
  );
  const unexplained = (selection.breakIds ?? []).filter((id) => !isExplained.has(id));
  if (unexplained.length === 0) return [...isExplained];
  throw new WrongInput(
    'nothing was written:',
    unexplained.map((id) => `${id} is no open break that is explained`),
  );
}

const COLUMNS = 'entry_id,account_no,kind,amount_yuan,reference,out_batch_no,counterparty,booked_at,memo';

/** Booked when the break was explained: after it arose, and the same whenever the file is made. */
function ledgerCsv(
  entries: readonly AdjustingEntry[],
  { zone, adjustmentKind, mask }: { zone: Zone; adjustmentKind: string; mask: SaidMask },
): string {
  const lines = entries.map(({ entryId, found, kind, amountFen, reference }) =>
    [
      entryId,
      csvCell(found.account_no),
      kind === 'adjustment' ? csvCell(adjustmentKind) : kind,
      yuanText(amountFen),
      csvCell(reference),
      csvCell(found.out_batch_no),
      csvCell(found.counterparty),
      zone.localText(found.explained_at),
      csvCell(`${found.break_id}: ${mask(found.reason)}`),
    ].join(','),
  );
  return `\ufeff${[COLUMNS, ...lines].join('\r\n')}\r\n`;
}

function entryShown({ entryId, found, kind, amountFen, reference }: AdjustingEntry) {
  return { entryId, breakId: found.break_id, accountNo: found.account_no, kind, amountFen, reference };
}

function entriesText(
  out: string,
  entries: readonly AdjustingEntry[],
  left: readonly { id: string; class: string; why: string }[],
): string {
  const rows = entries.map(({ entryId, found, kind, amountFen, reference }) => [
    entryId,
    found.class,
    found.account_no,
    kind,
    yuanForPeople(amountFen),
    reference,
  ]);
  return [
    tableText(['entry', 'class', 'account', 'kind', 'amount', 'reference'], rows, { right: [4] }),
    ...left.map(({ id, class: itemClass, why }) => `not proposed: ${id} (${itemClass}): ${why}`),
    `written: ${out}, ${counted(entries.length, 'entry', 'entries')}, ${yuanForPeople(grossOf(entries))} gross; nothing was booked: recon ledger import takes it`,
  ].join('\n');
}
