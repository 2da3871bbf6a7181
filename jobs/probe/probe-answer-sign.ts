/** Which string the signatures of the answers cover, and whether answers are signed at all (U2, U4). */
import { jsonText, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { piecesToSign } from '../../src/platform/sign.ts';
import { judged, leftOpen } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { textOf } from './probe-line.ts';
import type { Answered } from './probe-line.ts';

/** What an answer's signature covers: all members there are, or these. */
type Fields = 'all' | readonly string[];

interface Reading {
  fields: Fields;
  dropEmpty: boolean;
}

/** Every choice of five members is tried; an answer with many more is none of this service. */
const MEMBERS_MAX = 8;

/** Looks at every answer the probe has heard; asks nothing. */
export function probeAnswerSign(at: Probing): Judged[] {
  const accepted = at.line.heard.filter((answered) => answered.isAccepted);
  const signed = accepted.filter((answered) => signOf(answered) !== '');
  return [...whetherSigned(at, accepted, signed), ...caseOfSigns(at, signed), ...whatIsCovered(at, signed)];
}

function signOf({ envelope }: Answered): string {
  return textOf(member(envelope, 'sign'));
}

function whetherSigned({ profile, facts }: Probing, accepted: Answered[], signed: Answered[]): Judged[] {
  const key = 'signing.requireResponseSign';
  const inForce = profile.signing.requireResponseSign;
  const subject = { u: 'U4', key, tried: `${accepted.length} answers that were accepted` };
  const answer = `${signed.length} of them are signed`;
  if (accepted.length === 0) {
    return [leftOpen(profile, { ...subject, answer: 'no question was accepted; give --account NO' })];
  }
  const isUnsigned = signed.length < accepted.length;
  if (isUnsigned && facts.everSigned) {
    const told = `${answer}, and earlier ones were: ask the platform why, accept nothing until then`;
    return [judged(profile, { ...subject, answer: told, found: 'no longer signed', fits: false })];
  }
  const found = signed.length === 0 ? 'not signed' : isUnsigned ? 'some are signed' : 'signed';
  // `auto` fits either way; `always` refuses the unsigned, `never` would let a signed platform be forged.
  const fits = inForce === 'auto' || (isUnsigned ? inForce === 'never' : inForce === 'always');
  return [judged(profile, { ...subject, answer, found, fits, change: { value: 'auto' } })];
}

/** Ours is one question, theirs another: answers are read in either case (SIG-14). */
function caseOfSigns({ profile, line }: Probing, signed: Answered[]): Judged[] {
  if (line.parts.credentials.signType !== 'MD5' || signed.length === 0) return [];
  const hasUpper = signed.some((answered) => /[A-F]/.test(signOf(answered)));
  const hasLower = signed.some((answered) => /[a-f]/.test(signOf(answered)));
  const found = hasUpper && hasLower ? 'both' : hasUpper ? 'upper' : 'lower';
  const subject = { u: 'U2', key: '', tried: 'letter case of the signatures of answers', found, fits: true };
  return [judged(profile, { ...subject, answer: `${signed.length} signatures`, inForce: 'either is read' })];
}

function whatIsCovered(at: Probing, signed: Answered[]): Judged[] {
  const { profile } = at;
  const { response, dropEmpty } = profile.signing;
  const subject = {
    u: 'U4',
    key: 'signing.response.fields',
    tried: 'every choice of members as the signed string',
  };
  const [first] = signed;
  if (first === undefined) {
    return [leftOpen(profile, { ...subject, answer: 'no accepted answer carries a signature' })];
  }
  const inForce = { fields: response.fields, dropEmpty };
  const { reading, rightCount } = best(at, signed, readingsToTry(first.envelope, inForce));
  const found = typeof reading.fields === 'string' ? reading.fields : jsonText(reading.fields);
  const answer = `${rightCount} of ${signed.length} signatures are right over ${found}`;
  if (rightCount === 0) {
    const told = `none of ${signed.length} signatures is right: nothing these answers say is proven`;
    return [judged(profile, { ...subject, answer: told, found: 'none of them', fits: false })];
  }
  if (rightCount < signed.length) {
    const told = `${answer}, the others over nothing: they were changed on the way; probe again`;
    return [leftOpen(profile, { ...subject, answer: told, found })];
  }
  const change = { value: reading.fields };
  const fits = reading.fields === inForce.fields;
  const covered = judged(profile, { ...subject, answer, found, fits, change });
  return reading.dropEmpty === dropEmpty ? [covered] : [covered, emptyValues(at, reading)];
}

/** The first of those that prove most signatures. */
function best(
  at: Probing,
  signed: readonly Answered[],
  readings: readonly [Reading, ...Reading[]],
): { reading: Reading; rightCount: number } {
  let found = { reading: readings[0], rightCount: 0 };
  for (const reading of readings) {
    const rightCount = signed.filter((answered) => isRight(at, answered, reading)).length;
    if (rightCount > found.rightCount) found = { reading, rightCount };
    if (rightCount === signed.length) break;
  }
  return found;
}

function emptyValues({ profile }: Probing, { dropEmpty }: Reading): Judged {
  return judged(profile, {
    u: 'U2',
    key: 'signing.dropEmpty',
    tried: 'the strings of answers with and without their empty values',
    answer: `right ${dropEmpty ? 'without' : 'with'} them`,
    found: String(dropEmpty),
    fits: false,
    change: { value: dropEmpty },
  });
}

/** What is in force first, then the two documented readings, then all the rest that hold bizData. */
function readingsToTry(envelope: JsonObject, inForce: Reading): [Reading, ...Reading[]] {
  const names = Object.keys(envelope).filter((name) => name !== 'sign');
  const choices: Fields[] = ['all', ['bizData']];
  if (names.length <= MEMBERS_MAX) choices.push(...subsets(names.toSorted()));
  const others = [inForce.dropEmpty, !inForce.dropEmpty].flatMap((dropEmpty) =>
    [inForce.fields, ...choices].map((fields) => ({ fields, dropEmpty })),
  );
  return [inForce, ...others];
}

/** The larger first: what covers more proves more. */
function subsets(names: readonly string[]): string[][] {
  const all = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, place) => bits & (1 << place)),
  );
  return all.filter((some) => some.includes('bizData')).toSorted((a, b) => b.length - a.length);
}

function isRight({ line, profile }: Probing, answered: Answered, { fields, dropEmpty }: Reading): boolean {
  const { envelope, style } = answered;
  const covered = fields === 'all' ? Object.keys(envelope) : fields;
  const names = covered.filter((name) => name !== 'sign' && !profile.signing.exclude.includes(name));
  const members = Object.fromEntries(names.map((name) => [name, wireText(member(envelope, name))]));
  return line.parts.credentials.verify(piecesToSign(members, { names, dropEmpty }), signOf(answered), style);
}

function wireText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : jsonText(value);
}
