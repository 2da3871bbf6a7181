/** Who signs or approves what a dry run showed signs that and nothing else. */
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../../helpers/cli.ts';
import { faultsOfAnswer } from '../../schemas/validator.ts';
import { commandBooks } from '../command-books.ts';
import { nightOfBreaks } from '../night-of-breaks.ts';

const { reconWith, onDatabase } = commandBooks();

const PEOPLE = { RECON_PEOPLE: '李娜:preparer, 王伟:approver' };
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];
const DAY = ['--day', '2026-03-01'];
const APPROVE = [...DAY, '--approve', '--by', '王伟'];

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase((db) => nightOfBreaks(db));
});

const signOff = (...args: string[]) => reconWith(PEOPLE, 'sign-off', ...args, ...CLOCK);

const prepare = (reason: string, ...more: string[]) =>
  signOff(...DAY, '--by', '李娜', '--with-open', '--reason', reason, ...more);

async function refused(...args: string[]): Promise<string[]> {
  const { status, stderr } = await signOff(...args);
  expect(status).toBe(2);
  return faultsOf(stderr);
}

/** What a dry run of it prints to be given back. */
async function shownBy(...args: string[]): Promise<string> {
  const { stdout } = await signOff(...args, '--dry-run');
  return /^to sign this and nothing else: --shown ([0-9a-f]{12})$/m.exec(stdout)?.[1] ?? stdout;
}

const done = async (args: string[]): Promise<unknown> =>
  (JSON.parse((await signOff(...args, '--json')).stdout) as { done: string }).done;

const OTHER = (shown: string): string =>
  `nothing was signed: 2026-03-01 is not what --dry-run showed as ${shown}; look at it again`;

test('a preparer, whose breaks somebody has taken on meanwhile', async () => {
  expect(await refused(...APPROVE, '--dry-run')).toEqual([
    '2026-03-01 awaits no approval: it is prepared first, by a preparer (recon sign-off)',
  ]);
  const shown = await shownBy(...DAY, '--by', '李娜');
  await reconWith({}, 'breaks', 'assign', '--class', 'platform_only', '--to', 'Li', '--by', 'Li', ...CLOCK);
  expect(await refused(...DAY, '--by', '李娜', '--with-open', '--reason', 'A', '--shown', shown)).toEqual([
    OTHER(shown),
  ]);
  expect((await signOff('--list')).stdout).toBe('no day or month was signed off yet\n');
});

test('an approver, for whom it was prepared anew with another reason', async () => {
  await prepare('with the platform');
  const first = await signOff(...APPROVE, '--dry-run');
  expect(first.stdout).toMatch(/prepared by 李娜 at 2026-03-02 10:00:\d\d: with the platform$/m);
  const shown = await shownBy(...APPROVE);
  await prepare('written off by hand');
  expect(await refused(...APPROVE, '--shown', shown)).toEqual([OTHER(shown)]);
  const answer = JSON.parse((await signOff(...APPROVE, '--dry-run', '--json')).stdout) as { shown: string };
  expect(await faultsOfAnswer('sign-off', answer)).toEqual([]);
  expect(answer.shown).toBe(await shownBy(...APPROVE));
  expect(await done([...APPROVE, '--shown', answer.shown])).toBe('signed_off');
  expect(await done([...APPROVE, '--shown', answer.shown])).toBe('unchanged');
});

test('what is no digest, and what is not signed by one', async () => {
  expect(await refused(...APPROVE, '--shown', 'abc')).toEqual([
    '--shown "abc" is no digest: 12 digits or letters a to f, as --dry-run prints them',
  ]);
  expect(await refused(...DAY, '--show', '--shown', '0123456789ab')).toEqual([
    '--shown goes with signing or --approve',
  ]);
});
