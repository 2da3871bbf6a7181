/** The pages of the deposit listing: their order, whether their total holds, how large they may be (U45). */
import { isJsonObject, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { countMember, listMember } from '../../src/platform/decode-members.ts';
import { addDays } from '../../src/core/time.ts';
import { noDeposit, list } from './probe-deposits.ts';
import type { Listing, ListedDeposit, ListingAsk } from './probe-deposits.ts';
import { judged, leftOpen } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { MADE_UP, isAccepted, saidBy, textOf } from './probe-line.ts';

/** With the day after, still less than any month. */
const SPAN_DAYS = 26;
const DOCUMENTED_MAX = 100;
/** Tried where the size in force is refused. */
const SMALLER = [50, 20, 10];

export async function probePages(at: Probing, listed: ListedDeposit | undefined): Promise<Judged[]> {
  const { profile } = at;
  const tried = 'the same first page twice';
  const order = { u: 'U45', key: 'emulator.depositOrder', tried };
  const total = { u: 'U45', key: 'deposits.verify', tried };
  if (listed === undefined) {
    const answer = noDeposit(at);
    return [
      leftOpen(profile, { ...order, answer }),
      leftOpen(profile, { ...total, answer }),
      await pageSize(at),
    ];
  }
  const { day } = listed.deposit;
  const ask: ListingAsk = {
    startDate: addDays(day, -SPAN_DAYS),
    endDate: addDays(day, 1),
    payeeAcctNo: listed.payeeAcctNo,
  };
  const [first, second] = [await list(at, ask), await list(at, ask)];
  return [orderOf(at, order, [first, second]), totalOf(at, total, [first, second]), await pageSize(at)];
}

type Subject = Pick<Judged, 'u' | 'key' | 'tried'>;

function orderOf({ profile }: Probing, subject: Subject, [first, second]: [Listing, Listing]): Judged {
  const silent = [first.heard, second.heard].find(({ kind }) => kind === 'silent');
  if (silent !== undefined) return leftOpen(profile, { ...subject, answer: saidBy(silent) });
  const times = first.records.map((record) => textOf(member(record, 'depositTime')));
  if (new Set(times).size < 2) {
    const answer = `${times.length} records, too few of different times; give --account NO of a busy one`;
    return leftOpen(profile, { ...subject, answer });
  }
  const ascending = times.toSorted();
  const isOldest = equal(times, ascending);
  const isNewest = equal(times, ascending.toReversed());
  const isSame = equal(first.records.map(numberOf), second.records.map(numberOf));
  const answer = `${times.length} records, ${isSame ? 'the same order twice' : 'another order the second time'}`;
  const found = !isSame ? 'unstable' : isNewest ? 'newest' : isOldest ? 'oldest' : '';
  if (found === '') return leftOpen(profile, { ...subject, answer: `${answer}, not by time` });
  const fits = profile.emulator.depositOrder === found;
  return judged(profile, { ...subject, answer, found, fits, change: { value: found } });
}

function numberOf(record: JsonObject): string {
  return textOf(member(record, 'orderNo'));
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, place) => text === other[place]);
}

/** A listing on one page shows whether total counts its records. */
function totalOf({ profile }: Probing, subject: Subject, [first, second]: [Listing, Listing]): Judged {
  if (first.total === undefined || second.total === undefined) {
    return leftOpen(profile, {
      ...subject,
      answer: saidBy(first.total === undefined ? first.heard : second.heard),
    });
  }
  const answer = `total ${first.total} and ${second.total}, ${first.records.length} records on the page`;
  if (first.total !== second.total) {
    const told = `${answer}: a deposit came meanwhile, or total does not hold; probe again`;
    return leftOpen(profile, { ...subject, answer: told, found: 'not constant' });
  }
  const isOnePage = first.total <= profile.deposits.pageSize;
  const isCount = isOnePage ? first.records.length === first.total : first.records.length > 0;
  const found = isCount ? 'total is constant and counts the records' : 'total is not the number of records';
  return judged(profile, { ...subject, answer, found, fits: isCount });
}

/** Accepted and not silently made smaller; undefined where no answer says it. */
async function isSizeTaken(
  at: Probing,
  size: number,
): Promise<{ isTaken: boolean | undefined; said: string }> {
  const days = { startDate: addDays(at.today, -1), endDate: at.today };
  const { heard } = await list(at, { ...days, payeeAcctNo: MADE_UP, pageSize: size });
  if (heard.kind === 'silent') return { isTaken: undefined, said: saidBy(heard) };
  if (!isAccepted(heard)) return { isTaken: false, said: saidBy(heard) };
  const echoed = countMember(heard.biz, 'pageSize');
  const isCut = echoed !== undefined && echoed !== size;
  const isList = (listMember(heard.biz, 'depositList') ?? []).every(isJsonObject);
  return { isTaken: !isCut && isList, said: isCut ? `answered with pageSize ${echoed}` : 'accepted' };
}

async function pageSize(at: Probing): Promise<Judged> {
  const { profile } = at;
  const inForce = profile.deposits.pageSize;
  const [own, beyond] = [await isSizeTaken(at, inForce), await isSizeTaken(at, DOCUMENTED_MAX + 1)];
  const answer = `${inForce}: ${own.said}; ${DOCUMENTED_MAX + 1}: ${beyond.said}`;
  const tried = `query/deposit with pageSize ${inForce} and ${DOCUMENTED_MAX + 1}`;
  const subject = { u: 'U45', key: 'deposits.pageSize', tried, answer };
  if (own.isTaken === undefined) return leftOpen(profile, subject);
  if (own.isTaken) return judged(profile, { ...subject, found: String(inForce), fits: true });
  for (const size of SMALLER.filter((smaller) => smaller < inForce)) {
    const { isTaken } = await isSizeTaken(at, size);
    if (isTaken === true)
      return judged(profile, { ...subject, found: String(size), fits: false, change: { value: size } });
  }
  return leftOpen(profile, { ...subject, answer: `${answer}; smaller ones neither` });
}
