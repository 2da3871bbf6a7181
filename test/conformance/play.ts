/** Plays rules, each in a world of its own, and says what came of it. */
import { Bench } from './bench.ts';
import type { Caller } from './caller.ts';
import { Desk } from './desk.ts';
import { REQUIREMENTS } from './requirements.ts';
import type { Rule, Rules } from './rule.ts';
import type { Target } from './wire.ts';

/** `pass`, why it failed, or nothing where there is no such side. */
export type Verdict = 'pass' | { reason: string } | undefined;

export interface Played {
  id: string;
  what: string;
  client: Verdict;
  sandbox: Verdict;
}

export interface Players {
  /** The sandboxes that are asked; a rule passes when it passes in each. */
  targets: readonly Target[];
  /** Whether the client's side is played. */
  withClient: boolean;
  /** A platform elsewhere: only what does no harm is asked of it. */
  platform?: Caller;
}

/** Plays all rules whose number begins with `only`, in the order of the interface. */
export async function playAll(rules: Rules, players: Players, only = ''): Promise<Played[]> {
  const played: Played[] = [];
  for (const [id, what] of REQUIREMENTS) {
    if (!id.startsWith(only)) continue;
    const rule = rules[id] ?? {};
    played.push({
      id,
      what,
      client: await clientSide(rule, players),
      sandbox: await otherSide(rule, players),
    });
  }
  return played;
}

async function clientSide({ client, job }: Rule, { withClient }: Players): Promise<Verdict> {
  if (!withClient) return undefined;
  const verdict = client && (await playClient(client));
  return verdict !== undefined && verdict !== 'pass'
    ? verdict
    : ((job && (await playClient(job))) ?? verdict);
}

async function otherSide(rule: Rule, { targets, platform }: Players): Promise<Verdict> {
  const { harmless } = rule;
  if (platform) return harmless ? await verdictOf('platform', () => harmless(platform)) : undefined;
  let verdict: Verdict;
  for (const target of targets) {
    verdict = await playSandbox(rule, target);
    if (verdict !== 'pass') return verdict;
  }
  return verdict;
}

export async function playSandbox({ harmless, sandbox }: Rule, target: Target): Promise<Verdict> {
  if (!harmless && !sandbox) return undefined;
  return await verdictOf(target.name, async () => {
    target.renew();
    const bench = new Bench(target);
    await bench.seedAccounts();
    await harmless?.(bench);
    await sandbox?.(bench);
  });
}

export async function playClient(client: NonNullable<Rule['client']>): Promise<Verdict> {
  return await verdictOf('client', async () => {
    await using desk = new Desk();
    await client(desk);
  });
}

async function verdictOf(where: string, act: () => Promise<void>): Promise<Verdict> {
  try {
    await act();
    return 'pass';
  } catch (error) {
    return { reason: `${where}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The numbers nothing is played for. */
export function numbersWithoutTest(rules: Rules): string[] {
  return REQUIREMENTS.map(([id]) => id).filter((id) => {
    const rule = rules[id];
    return !rule?.client && !rule?.job && !rule?.sandbox && !rule?.harmless;
  });
}
