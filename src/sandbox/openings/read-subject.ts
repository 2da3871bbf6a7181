/** Reads SubjectInfo and refuses what its own members show to be wrong (OPN-09, OPN-F01…F44). */
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { wrongParameter } from '../protocol/refusal.ts';
import type { Refused } from '../protocol/refusal.ts';
import type { World } from '../world/world.ts';
import type { Subject } from './application.ts';
import { hasOwnAgent, SUBJECT_FIELDS } from './subject-fields.ts';
import type { Occasion, Presented } from './subject-fields.ts';
import { faultOf } from './subject-form.ts';

/**
 * The members that are known and not empty; a number passes for its digits unless types are strict (U28).
 * @throws Refused when subjectInfo is no object (OPN-09, CHG-03) and for a member that is no text
 */
export function readSubject(world: World, biz: JsonObject, occasion: Occasion): Subject {
  const given = member(biz, 'subjectInfo') ?? undefined;
  if (given === undefined) throw wrongParameter('subjectInfo', 'it is required');
  if (!isJsonObject(given)) throw wrongParameter('subjectInfo', 'it must be an object');
  const subject: Record<string, string> = {};
  const names = SUBJECT_FIELDS.filter(({ only }) => only === undefined || only === occasion).map(
    ({ name }) => name,
  );
  for (const name of [...names, world.switches.agentNameField]) {
    const text = readMember(given, name, world);
    if (text !== '') subject[name] = text;
  }
  return subject;
}

function readMember(given: JsonObject, name: string, { switches }: World): string {
  const value = member(given, name) ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !switches.strictTypes) return String(value);
  throw wrongMember(name, 'it must be a string');
}

/** @throws Refused naming the first member that is absent and needed, or has a wrong form */
export function requireWellFormed(presented: Presented): void {
  for (const { name, needed, form, only } of SUBJECT_FIELDS) {
    if (only !== undefined && only !== presented.occasion) continue;
    const value = presented.subject[name];
    if (value === undefined) {
      if (needed(presented)) throw wrongMember(name, 'it is required');
      continue;
    }
    const fault = faultOf(typeof form === 'function' ? form(presented) : form, value);
    if (fault !== undefined) throw wrongMember(name, fault);
  }
}

export function wrongMember(name: string, why: string): Refused {
  return wrongParameter(`subjectInfo.${name}`, why);
}

/**
 * SubjectInfo of an opening or of its resubmission.
 * @param of.reqNo of the opening that is resubmitted; empty for a new one
 * @throws Refused for whatever the document demands of it
 */
export function readOpeningSubject(
  world: World,
  biz: JsonObject,
  of: { occasion: 'opening' | 'resubmit'; role: 'FQ' | 'JS'; merchant: string; reqNo: string },
): Subject {
  const { occasion, role } = of;
  const { switches } = world;
  const subject = readSubject(world, biz, occasion);
  const agentUses = hasOwnAgent(subject, switches) ? usesOf(world, subject['agentIdNo'] ?? '', of) : 0;
  requireWellFormed({ subject, occasion, role, agentUses, switches });
  return subject;
}

/** LIM-13, U15: every opening of the company that names this agent counts, whatever became of it. */
function usesOf(world: World, agentIdNo: string, of: { merchant: string; reqNo: string }): number {
  const others = world.applications
    .openingsOf(of.merchant)
    .filter(({ reqNo, subject }) => reqNo !== of.reqNo && subject['agentIdNo'] === agentIdNo);
  return others.filter(({ subject }) => hasOwnAgent(subject, world.switches)).length + 1;
}
