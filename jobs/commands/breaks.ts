/** `recon breaks list` and `recon breaks show`: differences across runs, and what happened to one of them. */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { jsonText } from '../../src/core/json.ts';
import { daysBetween } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import { requireAccount } from '../../src/store/intake/accounts.ts';
import { findBreak, listBreakEvents, listBreaks } from '../../src/store/runs/breaks.ts';
import type { Break, BreakEvent } from '../../src/store/runs/breaks.ts';
import type { ClearingCause } from '../../src/store/schema/schema.ts';
import { parseClassOption } from './break-classes.ts';
import type { ItemClass } from './break-classes.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { breakFields } from '../night/publish/result.ts';
import type { BreakResult } from '../night/publish/result.ts';
import { tableText } from '../cli/table-text.ts';

export interface BreakListOptions extends CommonOptions {
  account?: string;
  class?: string;
  all?: boolean;
}

interface BreakShown extends BreakResult {
  status: 'open' | 'closed';
  closedDay: string | null;
  clearedBy: string | null;
  clearedCause: ClearingCause | null;
}

export function listBreaksCommand(options: BreakListOptions): Promise<void> {
  const needs: CommandNeeds<ItemClass | undefined> = {
    platform: false,
    arguments: () => (options.class === undefined ? undefined : parseClassOption(options.class)),
  };
  return withContext(options, needs, async ({ db }, itemClass) => {
    if (options.account !== undefined) await requireAccount(db, options.account);
    const rows = await listBreaks(db, {
      accountNo: options.account,
      itemClass,
      withClosed: options.all === true,
    });
    const breaks = rows.map(shownOf);
    return { status: 0, document: { schema: 1, breaks }, text: listText(breaks) };
  });
}

export function showBreakCommand(id: string, options: CommonOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const row = await findBreak(db, id);
    if (row === undefined) throw new WrongInput(`there is no break ${JSON.stringify(id)}`);
    const events = await listBreakEvents(db, id);
    const shown = shownOf(row);
    const document = { schema: 1, break: shown, events: events.map(eventShown) };
    return { status: 0, document, text: `${breakText(shown)}\n\n${eventsText(events, zone)}` };
  });
}

/** The age is that of the last run that saw it; nothing ages while nobody looks. */
function shownOf(row: Break): BreakShown {
  return {
    ...breakFields(row),
    ageDays: daysBetween({ from: row.first_day, to: row.last_day }),
    status: row.status,
    closedDay: row.closed_day,
    clearedBy: row.cleared_by,
    clearedCause: row.cleared_cause,
  };
}

function eventShown(event: BreakEvent) {
  return {
    no: event.event_no,
    at: event.at,
    event: event.event,
    actor: event.actor,
    runId: event.run_id,
    details: event.details,
  };
}

function listText(breaks: readonly BreakShown[]): string {
  if (breaks.length === 0) return 'no breaks';
  const table = tableText(
    ['class', 'account', 'reference', 'platform', 'ledger', 'difference', 'since', 'days', 'status', 'id'],
    breaks.map((found) => [
      found.class,
      found.accountNo,
      found.reference,
      money(found.platformFen),
      money(found.ledgerFen),
      money(found.differenceFen),
      found.firstSeen,
      String(found.ageDays),
      found.status,
      found.id,
    ]),
    { right: [3, 4, 5, 7] },
  );
  return `${table}\n${breaks.length} in all; difference = platform − ledger`;
}

function breakText(found: BreakShown): string {
  const lines: [string, string][] = [
    ['break', found.id],
    ['class', `${found.class} (${found.severity})`],
    ['account', found.accountNo],
    ['reference', found.reference],
    ['platform', money(found.platformFen)],
    ['ledger', money(found.ledgerFen)],
    ['difference', `${money(found.differenceFen)} (platform − ledger)`],
    ['first seen', `${found.firstSeen}, ${found.ageDays} days old at the last look`],
    ['status', found.status === 'open' ? 'open' : `closed ${found.closedDay ?? ''}`],
    ...(found.clearedBy
      ? [['cleared by', `${found.clearedBy} (${found.clearedCause ?? ''})`] satisfies [string, string]]
      : []),
  ];
  return lines.map(([name, value]) => `${name.padEnd(10)}  ${value}`).join('\n');
}

function eventsText(events: readonly BreakEvent[], zone: Zone): string {
  return tableText(
    ['no', 'at', 'event', 'by', 'run', 'details'],
    events.map((event) => [
      String(event.event_no),
      zone.localText(event.at),
      event.event,
      event.actor,
      event.run_id ?? '',
      jsonText(event.details),
    ]),
    { right: [0] },
  );
}

function money(fen: Fen | null): string {
  return fen === null ? '–' : yuanForPeople(fen);
}
