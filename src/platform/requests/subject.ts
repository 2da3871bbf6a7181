/** What is wrong with the subject data of an opening, a resubmission or a change (OPN-05, OPN-F01…F44, CHG-04…13). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { implied, isBlank } from './checks.ts';
import type { CheckRules, Schema } from './checks.ts';
import { absence, faultOf } from './members.ts';
import { changeNeeds, emptyChangeFault } from './subject-change.ts';
import { is, isNot, needsIn, needsSchema } from './subject-conditions.ts';
import type { Need } from './subject-conditions.ts';
import { ENT_TYPES, subjectMember, subjectMembersSchema, subjectOf } from './subject-members.ts';
import type { SubjectUse } from './subject-members.ts';
import { INITIATOR_NEEDS, openingNeeds } from './subject-needs.ts';

/** One fault at most for each member; none where there is no object, which the request's own members say. */
export function subjectFaults(use: SubjectUse): (request: JsonObject, rules: CheckRules) => string[] {
  return (request, rules) => {
    const subject = subjectOf(request);
    if (subject === undefined) return [];
    const isInitiator = member(request, 'acctRole') === 'FQ';
    const initiatorNeeds = use === 'opening' && isInitiator ? INITIATOR_NEEDS : [];
    const needs = needsIn(subject, [...needsOf(use, rules), ...initiatorNeeds]);
    const missing = missingOf(subject, needs, rules);
    const wrong = formFaults(subject, { use, missing }, rules);
    return [...missing.values(), ...wrong, ...wholeFaults(subject, { use, isInitiator })];
  };
}

function needsOf(use: SubjectUse, rules: CheckRules): Need[] {
  return use === 'change' ? changeNeeds(rules) : openingNeeds(use, rules);
}

/** The subject's members, and which of them must be there when. */
export function subjectSchema(use: SubjectUse): (rules: CheckRules) => Schema {
  return (rules) => ({ ...subjectMembersSchema(use, rules), ...needsSchema(needsOf(use, rules)) });
}

/** What an initiator needs besides, whom the request names and not the subject. */
export const INITIATOR_SCHEMA = implied(is('acctRole', 'FQ').schema, {
  properties: { subjectInfo: { ...needsSchema(INITIATOR_NEEDS), ...isNot('entPerFlag', 'P').schema } },
});

/** By member; what several conditions need is missing once. */
function missingOf(subject: JsonObject, needs: readonly Need[], rules: CheckRules): Map<string, string> {
  const missing = new Map<string, string>();
  for (const { names, because, requirement } of needs) {
    for (const name of names) {
      const what = absence(member(subject, name));
      if (what === undefined || missing.has(name)) continue;
      const why = because === undefined ? what : `${what}, and ${because} needs it`;
      const rowOf = subjectMember(name, rules)?.requirement ?? '';
      missing.set(name, faultOf(`subjectInfo.${name}`, why, requirement ?? rowOf));
    }
  }
  return missing;
}

function formFaults(
  subject: JsonObject,
  { use, missing }: { use: SubjectUse; missing: ReadonlyMap<string, string> },
  rules: CheckRules,
): string[] {
  return Object.entries(subject).flatMap(([name, value]) => {
    const known = subjectMember(name, rules);
    // An empty text where none is needed says nothing.
    if (known === undefined || missing.has(name) || isBlank(value)) return [];
    if (known.isOfChange === true && use !== 'change') return [];
    const what = known.check(value, rules);
    return what === undefined ? [] : [faultOf(`subjectInfo.${name}`, what, requirementOf(name, known, use))];
  });
}

function requirementOf(name: string, { requirement }: { requirement: string }, use: SubjectUse): string {
  return use === 'change' && name === 'modifyType' ? 'CHG-05' : requirement;
}

function wholeFaults(
  subject: JsonObject,
  { use, isInitiator }: { use: SubjectUse; isInitiator: boolean },
): string[] {
  if (use === 'change') {
    const nothing = emptyChangeFault(subject);
    return nothing === undefined ? [] : [nothing];
  }
  const isIndividual = member(subject, 'entPerFlag') === 'P';
  return isIndividual && isInitiator
    ? [faultOf('acctRole', 'must be JS for an individual, who never opens as initiator', 'OPN-05')]
    : [];
}

/** What is sent all the same: the opening's list of entType lacks a word that others have (U14). */
export function subjectWarnings(request: JsonObject, { profile }: CheckRules): string[] {
  const entType = ENT_TYPES.find((known) => known === member(subjectOf(request) ?? {}, 'entType'));
  const { entTypes } = profile.opening;
  if (entType === undefined || entTypes.includes(entType)) return [];
  const what = `is ${entType}, and an opening lists ${entTypes.join(', ')}: the platform may refuse it`;
  return [faultOf('subjectInfo.entType', what, 'OPN-F02, U14')];
}
