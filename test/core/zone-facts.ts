/**
 * Run in a process of its own under several host time zones (H15): checks the properties of `core/time.ts`
 * over 1990–2100 and prints a digest of what it computed, which must be the same under every host zone.
 */
import { createHash } from 'node:crypto';

import { addDays, addMs, epochMs, instantOf, parseOffsetInstant, Zone } from '../../src/core/time.ts';
import { fc } from '../helpers/properties.ts';

const ZONES = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Chatham'];
const FIRST_MS = Date.UTC(1990, 0, 1);
const LAST_MS = Date.UTC(2101, 0, 1);

const digest = createHash('sha256');

/** Another road to the local text: the runtime's own formatter, in one go and without our cache. */
function referenceText(zone: string, epoch: number): string {
  return new Date(epoch).toLocaleString('sv-SE', { timeZone: zone });
}

function demand(holds: boolean, fact: string): void {
  if (!holds) throw new Error(fact);
}

function checkInstant(zone: Zone, epochSecond: number): void {
  const at = instantOf(epochSecond * 1_000);
  const text = zone.localText(at);
  demand(text === referenceText(zone.name, epochSecond * 1_000), `${zone.name} ${at}: local text is ${text}`);
  demand(zone.dayOf(at) === text.slice(0, 10), `${zone.name} ${at}: day is ${zone.dayOf(at)}`);
  const back = zone.parseLocal(text) ?? 'unreadable';
  // An hour that a clock change doubles reads as its first pass; its text is the same.
  demand(
    back === at || (back < at && zone.localText(back) === text),
    `${zone.name} ${at}: came back as ${back}`,
  );
  demand(zone.parseCompact(zone.compactText(at)) === back, `${zone.name} ${at}: compact text differs`);
  demand(parseOffsetInstant(at) === at, `${at}: is not read as itself`);
  digest.update(`${zone.name} ${at} ${text}\n`);
}

function checkDay(zone: Zone, dayNumber: number): void {
  const day = addDays('1990-01-01', dayNumber);
  const [start, end] = [zone.dayStart(day), zone.dayStart(addDays(day, 1))];
  const hours = (epochMs(end) - epochMs(start)) / 3_600_000;
  demand(hours >= 23 && hours <= 25, `${zone.name} ${day}: has ${hours} hours`);
  demand(zone.dayOf(start) === day, `${zone.name} ${day}: its start lies in ${zone.dayOf(start)}`);
  demand(zone.dayOf(addMs(end, -1)) === day, `${zone.name} ${day}: its last millisecond lies outside`);
  demand(
    zone.localText(start) === `${day} 00:00:00`,
    `${zone.name} ${day}: starts at ${zone.localText(start)}`,
  );
  digest.update(`${zone.name} ${day} ${start}\n`);
}

for (const name of ZONES) {
  const zone = new Zone(name);
  const seconds = fc.integer({ min: FIRST_MS / 1_000, max: LAST_MS / 1_000 });
  fc.assert(
    fc.property(seconds, (second) => checkInstant(zone, second)),
    { seed: 1, numRuns: 700 },
  );
  for (let day = 0; day < 40_541; day += 13) for (const at of [day, day + 1]) checkDay(zone, at);
}
process.stdout.write(`${digest.digest('hex')}\n`);
