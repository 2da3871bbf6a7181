/** How the platform refuses: what it says of an unknown number, a wrong signature, a missing parameter (U28, U42, U43). */
import type { RefusalClass } from '../../src/core/profile/refusals.ts';
import { addDays } from '../../src/core/time.ts';
import { judged, leftOpen } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { gist } from './probe-greeting.ts';
import { MADE_UP, isAccepted, saidBy } from './probe-line.ts';
import type { Answered, Heard, ReadingEndpoint } from './probe-line.ts';

interface Refusing {
  what: string;
  endpoint: ReadingEndpoint;
  biz: object;
  due: RefusalClass;
}

const REFUSINGS: readonly Refusing[] = [
  { what: 'an unknown account', endpoint: 'acct/queryInfo', biz: { accountNo: MADE_UP }, due: 'NOT_FOUND' },
  { what: 'an unknown batch', endpoint: 'division/query', biz: { outBatchNo: MADE_UP }, due: 'NOT_FOUND' },
  {
    what: 'an unknown withdrawal',
    endpoint: 'account/queryWithdraw',
    biz: { outOrderNo: MADE_UP },
    due: 'NOT_FOUND',
  },
  { what: 'a missing parameter', endpoint: 'division/query', biz: {}, due: 'PARAM' },
];

interface Refusal extends Refusing {
  heard: Heard;
}

export async function probeRefusals(at: Probing): Promise<Judged[]> {
  const { line, greeting } = at;
  const signature = { what: 'a wrong signature', endpoint: 'acct/queryInfo', biz: {}, due: 'AUTH' } as const;
  const refusals: Refusal[] = [{ ...signature, heard: greeting.rejected }];
  for (const refusing of REFUSINGS) {
    refusals.push({ ...refusing, heard: await line.ask(refusing.endpoint, refusing.biz) });
  }
  return [...refusals.map((refusal) => meaning(at, refusal, refusals)), await strictTypes(at)];
}

function meaning({ profile }: Probing, refusal: Refusal, all: readonly Refusal[]): Judged {
  const { what, endpoint, due, heard } = refusal;
  const subject = { u: 'U42', key: 'errors.classes', tried: `${endpoint}: ${what}`, answer: saidBy(heard) };
  if (heard.kind === 'silent') return leftOpen(profile, subject);
  if (heard.isAccepted) {
    return judged(profile, { ...subject, inForce: due, found: 'it is accepted', fits: false });
  }
  const found = due;
  if (heard.class === due) return judged(profile, { ...subject, inForce: due, found, fits: true });
  const inForce = heard.class ?? '';
  const others = all.filter((other) => other.due !== due).map((other) => other.heard);
  const isShared = others.some((other) => other.kind === 'answered' && gist(other) === gist(heard));
  const isUnheard = others.some(({ kind }) => kind === 'silent');
  const rule = isShared || isUnheard ? undefined : ruleFor(heard, due);
  if (rule === undefined) {
    const why = isShared
      ? 'the same words for other reasons'
      : isUnheard
        ? 'another refusal was not answered'
        : 'its words are too few or too many';
    const told = `${subject.answer}: ${why}, so no rule can tell them apart`;
    return leftOpen(profile, { ...subject, answer: told, inForce, found });
  }
  return judged(profile, { ...subject, inForce, found, fits: false, change: { prepend: rule } });
}

/** A rule of the profile is no longer than that. */
const PATTERN_MAX = 300;

/**
 * Exactly this refusal. That a number is unknown is said of the endpoint it was heard from alone: taken for "not
 * found" by mistake, an order would be sent again.
 */
function ruleFor({ endpoint, code, msg }: Answered, due: RefusalClass): object | undefined {
  const words = msg
    .split(/\d+/)
    .flatMap((part) => part.split(MADE_UP.replace(/\d+$/, '')))
    .map(escaped)
    .filter((part) => part !== '')
    .join('.*');
  if (words.length > PATTERN_MAX - 2) return undefined;
  // A bare code may stand for much else.
  if (due === 'NOT_FOUND' && !/\p{L}/u.test(words)) return undefined;
  return {
    ...(due === 'NOT_FOUND' && { path: `^${escaped(endpoint)}$` }),
    code: `^${escaped(code)}$`,
    ...(words !== '' && { msg: words }),
    class: due,
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** `"1"` where a number is declared (U28). */
async function strictTypes({ line, profile, today }: Probing): Promise<Judged> {
  const key = 'emulator.strictTypes';
  const days = { startDate: addDays(today, -1), endDate: today, payeeAcctNo: MADE_UP };
  const declared = await line.ask('query/deposit', { ...days, page: 1, pageSize: 10 });
  const texts = await line.ask('query/deposit', { ...days, page: '1', pageSize: '10' });
  const subject = {
    u: 'U28',
    key,
    tried: 'query/deposit with page and pageSize as text',
    answer: saidBy(texts),
  };
  if (!isAccepted(declared) || texts.kind === 'silent') {
    return leftOpen(profile, { ...subject, answer: `as numbers: ${saidBy(declared)}; ${subject.answer}` });
  }
  const isStrict = !texts.isAccepted;
  const fits = profile.emulator.strictTypes === isStrict;
  return judged(profile, { ...subject, found: String(isStrict), fits, change: { value: isStrict } });
}

/** Looks at every refusal the probe has heard; asks nothing (U43). */
export function probeStatuses({ profile, line }: Probing): Judged {
  const refusals = line.heard.filter((answered) => !answered.isAccepted);
  const statuses = [...new Set(refusals.map(({ status }) => status))].toSorted((a, b) => a - b);
  return judged(profile, {
    u: 'U43',
    key: '',
    tried: `HTTP status of ${refusals.length} refusals`,
    answer: statuses.join(', '),
    inForce: 'an envelope is read whatever the status',
    found: statuses.join(', '),
    fits: true,
  });
}
