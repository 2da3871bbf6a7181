/** `recon breaks list` and `recon breaks show`: differences across runs, and what happened to one of them. */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { LongList } from '../../src/core/long-list.ts';
import type { Zone } from '../../src/core/time.ts';
import { listBreakEvents, listEarlier } from '../../src/store/runs/breaks.ts';
import type { BreakEvent } from '../../src/store/runs/breaks.ts';
import { runJob } from '../cli/command.ts';
import type { CommonOptions, Job } from '../cli/command.ts';
import { fieldsText } from '../cli/field-text.ts';
import { TextTable, tableText } from '../cli/table-text.ts';
import { maskedEvent, saidMask } from '../context/said-mask.ts';
import type { SaidMask } from '../context/said-mask.ts';
import { statusText } from './break-shown.ts';
import { filterIn, parseFilter } from './selection.ts';
import { listSuggestedBreaks } from './suggested-breaks.ts';
import type { BreakListed } from './suggested-breaks.ts';
import type { FilterOptions, Selection } from './selection.ts';
import { counted } from '../../src/core/text.ts';

export interface BreakListOptions extends CommonOptions, FilterOptions {
  all?: boolean;
}

export function listBreaksCommand(options: BreakListOptions): Promise<void> {
  return runJob(options, listBreaksJob(options));
}

export function listBreaksJob(
  options: BreakListOptions,
): Job<Selection, { schema: 1; breaks: LongList<BreakListed> }> {
  const needs = { platform: false, arguments: () => parseFilter(options) };
  const work: ReturnType<typeof listBreaksJob>['work'] = async ({ db, zone, clock, settings }, asked) => {
    const filter = await filterIn(db, asked);
    const today = zone.dayOf(clock.wall());
    const as = { today, locale: settings.reportLocale, mask: await saidMask(db) };
    const found = listSuggestedBreaks(db, { ...filter, withClosed: options.all === true }, as);
    const breaks = found.map(({ shown }) => shown);
    return { status: 0, document: { schema: 1, breaks }, text: '', lines: listLines(breaks) };
  };
  return { needs, work };
}

export function showBreakCommand(id: string, options: CommonOptions): Promise<void> {
  return runJob(options, showBreakJob(id));
}

export interface BreakDocument {
  schema: 1;
  break: BreakListed & { earlier: Earlier };
  events: EventShown[];
}

export function showBreakJob(id: string): Job<void, BreakDocument> {
  const work: ReturnType<typeof showBreakJob>['work'] = async ({ db, zone, clock, settings }) => {
    const wanted = { breakIds: [id], withClosed: true };
    const mask = await saidMask(db);
    const as = { today: zone.dayOf(clock.wall()), locale: settings.reportLocale, mask };
    const [found] = await listSuggestedBreaks(db, wanted, as).whole();
    if (found === undefined)
      throw new WrongInput(`there is no break ${JSON.stringify(id)}; "recon breaks list --all" shows all`);
    const events = (await listBreakEvents(db, id)).map((event) => eventShown(event, mask));
    const earlier = (await listEarlier(db, found.row)).map((one) => ({
      id: one.break_id,
      closedDay: one.closed_day,
    }));
    const { shown } = found;
    const text = `${breakText(shown, earlier)}\n\n${eventsText(events, zone)}`;
    const document: BreakDocument = {
      schema: 1,
      break: { ...shown, earlier },
      events,
    };
    return { status: 0, document, text };
  };
  return { needs: { platform: false }, work };
}

type EventShown = ReturnType<typeof eventShown>;

function eventShown(event: BreakEvent, mask: SaidMask) {
  return {
    no: event.event_no,
    at: event.at,
    event: event.event,
    actor: mask(event.actor),
    runId: event.run_id,
    details: maskedEvent(event.details, mask),
    work: maskedEvent(event.work, mask),
    trailNo: event.trail_no,
    digest: event.digest,
  };
}

const HEAD = ['class', 'account', 'reference', 'platform', 'ledger', 'difference', 'since', 'days', 'status'];
const RIGHT = [3, 4, 5, 7];
/** The sentence stands last: nothing has to line up behind it. */
const TAIL = ['id', 'probably'];

/** They are read twice: how wide a column is, and whether anybody works on any of them, shows the first time. */
function listLines(breaks: LongList<BreakListed>): LongList<string> {
  return new LongList(async (consume) => {
    const bare = new TextTable([...HEAD, ...TAIL], { right: RIGHT });
    const worked = new TextTable([...HEAD, 'owner', 'reason', ...TAIL], { right: RIGHT });
    let [count, isWorkedOn] = [0, false];
    await breaks.forEachPiece(async (some) => {
      isWorkedOn ||= some.some((found) => workOf(found).some((text) => text !== ''));
      bare.fit(some.map((found) => [...cellsOf(found), ...tailOf(found)]));
      worked.fit(some.map((found) => [...cellsOf(found), ...workOf(found), ...tailOf(found)]));
    });
    const table = isWorkedOn ? worked : bare;
    if (table.isEmpty()) return consume(['no breaks']);
    await consume(table.head());
    await breaks.forEachPiece((some) => {
      count += some.length;
      return consume(
        some.flatMap((found) =>
          table.lines([...cellsOf(found), ...(isWorkedOn ? workOf(found) : []), ...tailOf(found)]),
        ),
      );
    });
    return consume([`${count} in all; difference = platform − ledger`]);
  });
}

function cellsOf(found: BreakListed): string[] {
  return [
    found.class,
    found.accountNo,
    found.reference,
    money(found.platformFen),
    money(found.ledgerFen),
    money(found.differenceFen),
    found.firstSeen,
    String(found.ageDays),
    statusText(found),
  ];
}

function tailOf({ id, suggestion }: BreakListed): string[] {
  return [id, suggestion];
}

function workOf({ owner, reason, note, proposed, writeOff }: BreakListed): string[] {
  const said = proposed && writeOff !== null ? writeOff.reason : reason;
  return [owner, said === '' ? note : said];
}

type Earlier = readonly { id: string; closedDay: string | null }[];

function breakText(found: BreakListed, earlier: Earlier): string {
  const lines: [string, string][] = [
    ['break', found.id],
    ['class', `${found.class} (${found.severity})`],
    ['account', found.accountNo],
    ['reference', found.reference],
    ['platform', money(found.platformFen)],
    ['ledger', money(found.ledgerFen)],
    ['difference', `${money(found.differenceFen)} (platform − ledger)`],
    ['probably', found.suggestion],
    ['first seen', `${found.firstSeen}, ${counted(found.ageDays, 'day')} old at the last look`],
    ['status', found.status === 'open' ? statusText(found) : `closed ${found.closedDay ?? ''}`],
    ['cleared by', found.clearedBy === null ? '' : `${found.clearedBy} (${found.clearedCause ?? ''})`],
    ['owner', found.owner],
    ['reason', found.reason],
    ['note', found.note],
    ['action', found.action ?? ''],
    ['in force', found.inForce === null ? '' : writeOffText({ ...found, writeOff: found.inForce })],
    ['write-off', writeOffText(found)],
    ['before', earlier.map(({ id, closedDay }) => `${id}, closed ${closedDay ?? ''}`).join('; ')],
  ];
  return lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(10)}  ${value}`)
    .join('\n');
}

function writeOffText({ writeOff, proposed, workStatus }: BreakListed): string {
  if (writeOff === null) return '';
  const { reason, expires, proposedBy, approvedBy } = writeOff;
  const state =
    approvedBy !== null
      ? `approved by ${approvedBy}${workStatus === 'written_off' ? '' : ', no longer in force'}`
      : proposed
        ? 'awaits approval by another person'
        : 'was not approved in time or for this amount';
  return `${reason}; until ${expires}; proposed by ${proposedBy}, ${state}`;
}

function eventsText(events: readonly EventShown[], zone: Zone): string {
  return tableText(
    ['no', 'at', 'event', 'by', 'run', 'details'],
    events.map((event) => [
      String(event.no),
      zone.localText(event.at),
      event.event,
      event.actor,
      event.runId ?? '',
      fieldsText(event.details as JsonObject),
    ]),
    { right: [0] },
  );
}

function money(fen: Fen | null): string {
  return fen === null ? '–' : yuanForPeople(fen);
}
