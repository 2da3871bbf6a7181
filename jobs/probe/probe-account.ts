/** What acct/queryInfo is asked with, and whether the three balances belong together (U22, U23, U59). */
import { parseFen, yuanForPeople } from '../../src/core/fen.ts';
import { member } from '../../src/core/json.ts';
import { judged, leftOpen, listText } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { isAccepted, saidBy, textOf } from './probe-line.ts';
import type { Answered, Heard } from './probe-line.ts';

const NO_ACCOUNT = 'no account is known: recon accounts import FILE, or give --account NO';

export interface AskedAccount {
  accountNo: string;
  /** Of our tables, else of the answer. */
  eleAcctNo: string | undefined;
  heard: Heard;
}

export async function askAccounts({ line, facts }: Pick<Probing, 'line' | 'facts'>): Promise<AskedAccount[]> {
  const asked: AskedAccount[] = [];
  for (const { accountNo, eleAcctNo } of facts.accounts) {
    const heard = await line.ask('acct/queryInfo', { accountNo });
    const stated = isAccepted(heard) ? textOf(member(heard.biz, 'eleAcctNo')) : '';
    asked.push({ accountNo, heard, eleAcctNo: eleAcctNo ?? (stated || undefined) });
  }
  return asked;
}

export async function probeAccount(at: Probing, accounts: readonly AskedAccount[]): Promise<Judged[]> {
  const answers = accounts.map(({ heard }) => heard).filter(isAccepted);
  const missing = whyNoAccount(accounts);
  return [...(await queriedBy(at, accounts)), balances(at, answers, missing), numbers(at, answers, missing)];
}

/** Why no account answered, and what to give; one that was given and is not shown is said to be so. */
function whyNoAccount([first]: readonly AskedAccount[]): string {
  if (first === undefined) return NO_ACCOUNT;
  return `the platform does not show account ${first.accountNo}: ${saidBy(first.heard)}; give --account NO of another`;
}

async function queriedBy({ line, profile }: Probing, accounts: readonly AskedAccount[]): Promise<Judged[]> {
  const key = 'account.queryBy';
  const emulated = {
    u: 'U22',
    key: 'emulator.queryInfoByReqNo',
    tried: 'acct/queryInfo with the openReqNo as reqNo',
  };
  const subject = { u: 'U22', key, tried: 'acct/queryInfo with accountNo, then with its openReqNo' };
  const [first] = accounts;
  if (first === undefined) {
    return [
      leftOpen(profile, { ...subject, answer: NO_ACCOUNT }),
      leftOpen(profile, { ...emulated, answer: NO_ACCOUNT }),
    ];
  }
  const known = accounts.map(({ heard }) => heard).find(isAccepted);
  const reqNo = known === undefined ? '' : textOf(member(known.biz, 'openReqNo'));
  if (known === undefined || reqNo === '') {
    const answer = `by accountNo: ${saidBy(first.heard)}; there is no openReqNo to ask with`;
    const found = known === undefined ? '' : 'accountNo';
    const isProven = known !== undefined && profile.account.queryBy === 'accountNo';
    const byNumber = isProven
      ? judged(profile, { ...subject, answer, found, fits: true })
      : leftOpen(profile, { ...subject, answer, found });
    return [byNumber, leftOpen(profile, { ...emulated, answer })];
  }
  const byReqNo = await line.ask('acct/queryInfo', { reqNo });
  const found = ['accountNo', ...(isAccepted(byReqNo) ? ['reqNo'] : [])];
  const answer = `by accountNo: ${saidBy(known)}; by reqNo: ${saidBy(byReqNo)}`;
  if (byReqNo.kind === 'silent') {
    return [
      leftOpen(profile, { ...subject, answer, found: 'accountNo' }),
      leftOpen(profile, { ...emulated, answer: saidBy(byReqNo) }),
    ];
  }
  const fits = found.includes(profile.account.queryBy);
  const change = { value: 'accountNo' };
  return [
    judged(profile, { ...subject, answer, found: listText(found), fits, change }),
    judged(profile, {
      ...emulated,
      answer: saidBy(byReqNo),
      found: String(isAccepted(byReqNo)),
      fits: profile.emulator.queryInfoByReqNo === isAccepted(byReqNo),
      change: { value: isAccepted(byReqNo) },
    }),
  ];
}

/** How far the sum is from the balance; undefined where one of the three is not stated. */
function gapFen({ biz }: Answered): bigint | undefined {
  const [balance, frozen, available] = ['balance', 'frozen', 'availableBalance'].map((name) =>
    parseFen(member(biz, name)),
  );
  if (balance === undefined || frozen === undefined || available === undefined) return undefined;
  return balance - frozen - available;
}

/** The relation alone: whether money under way is frozen or gone shows only in balances over time (calibrate). */
function balances({ profile }: Probing, answers: readonly Answered[], missing: string): Judged {
  const subject = {
    u: 'U23',
    key: 'inflight.model',
    tried: 'balance against availableBalance + frozen, each account',
  };
  const gaps = answers.map(gapFen);
  const stated = gaps.filter((gap) => gap !== undefined);
  if (stated.length === 0) {
    const answer = answers.length === 0 ? missing : 'no answer states all three';
    return leftOpen(profile, { ...subject, answer });
  }
  const off = stated.filter((gap) => gap !== 0n);
  const [worst] = off;
  if (worst === undefined) {
    const answer = `equal on all ${stated.length}`;
    return judged(profile, { ...subject, answer, found: 'balance = available + frozen', fits: true });
  }
  const answer = `${off.length} of ${stated.length} differ, the first by ${yuanForPeople(worst)}; recon calibrate tells more`;
  return judged(profile, { ...subject, answer, found: 'balance ≠ available + frozen', fits: false });
}

const AMOUNTS = ['balance', 'frozen', 'availableBalance'];

function numbers({ profile }: Probing, answers: readonly Answered[], missing: string): Judged {
  const inForce = 'either is read';
  const subject = { u: 'U59', key: '', tried: `JSON types of ${AMOUNTS.join(', ')}`, inForce };
  const values = answers
    .flatMap(({ biz }) => AMOUNTS.map((name) => member(biz, name)))
    .filter((value) => value !== undefined && value !== null);
  if (values.length === 0) {
    const answer = answers.length === 0 ? missing : 'no answer states one of them';
    return leftOpen(profile, { ...subject, answer });
  }
  const found = listText([...new Set(values.map((value) => typeof value))]);
  const unreadable = values.filter((value) => parseFen(value) === undefined).length;
  const answer = unreadable === 0 ? `${values.length} amounts, all whole` : `${unreadable} are no whole fen`;
  return judged(profile, { ...subject, answer, found, fits: unreadable === 0 });
}
