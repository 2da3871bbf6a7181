/** A served sandbox with something of everything, and a probe sent to it. Its clock and the probe's stand at noon. */
import { probe } from '../../../jobs/probe/probe-run.ts';
import type { Facts } from '../../../jobs/probe/probe-facts.ts';
import type { Judged } from '../../../jobs/probe/probe-finding.ts';
import { ProbeLine } from '../../../jobs/probe/probe-line.ts';
import { profileFound } from '../../../jobs/probe/probe-profile.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { randomIds } from '../../../src/core/ids.ts';
import { jsonText } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { Zone } from '../../../src/core/time.ts';
import { openCredentials } from '../../../src/platform/credentials.ts';
import type { CredentialSettings } from '../../../src/platform/credentials.ts';
import { openTransport } from '../../../src/platform/transport.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { serve } from '../../../src/sandbox/server/serve.ts';
import { API_KEY, API_SECRET, NOON } from '../../sandbox/caller.ts';

export const PAYER = '100001';
export const PAYEE = '200001';

export const KNOWN: Facts = {
  accounts: [
    { accountNo: PAYEE, eleAcctNo: undefined },
    { accountNo: PAYER, eleAcctNo: undefined },
  ],
  deposit: undefined,
  day: undefined,
  batches: [{ own: 'B-1', platform: undefined }],
  withdrawals: [{ own: 'W-1', platform: undefined }],
  settleWords: [],
  everSigned: false,
};
export const NOTHING_KNOWN: Facts = { ...KNOWN, accounts: [], batches: [], withdrawals: [] };

/** A probe at full speed; a question is asked in a millisecond. */
export const FAST: JsonObject = { http: { rate: { perSecond: 10_000, concurrency: 1 } } };

/** The same in every sandbox: deposits of two days, a batch with a settlement, a withdrawal with a fee. */
export function sandboxWith(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({ now: NOON, ...options });
  sandbox.seedAccounts([
    { accountNo: PAYER, role: 'FQ', balanceFen: 1_000_000, frozenFen: 500 },
    { accountNo: PAYEE, autoSettle: true, balanceFen: 50_000 },
  ]);
  sandbox.seedDeposits(
    ['2026-02-26 09:00:00', '2026-02-27 08:15:00', '2026-02-27 23:30:00', '2026-02-28 10:00:00'].map(
      (depositTime, place) => ({ payeeAcctNo: PAYEE, amountFen: 1_000, depositTime, orderNo: `DP-${place}` }),
    ),
  );
  sandbox.seedTransfers([
    {
      outBatchNo: 'B-1',
      payerAcctNo: PAYER,
      submittedAt: '2026-02-27 09:00:00',
      orders: [
        { outOrderNo: 'O-1', payeeAcctNo: PAYEE, amountFen: 10_000 },
        { outOrderNo: 'O-2', payeeAcctNo: PAYEE, amountFen: 20_000, state: 'FAIL' },
      ],
    },
  ]);
  sandbox.seedWithdrawals([
    { outOrderNo: 'W-1', acctNo: PAYER, amountFen: 5_000, feeFen: 20n, submittedAt: '2026-02-27 10:00:00' },
  ]);
  return sandbox;
}

export interface ProbedWith {
  /** The profile file in force, beside the rate. */
  profile?: JsonObject;
  facts?: Partial<Facts>;
  isThorough?: boolean;
  credentials?: Partial<CredentialSettings>;
  clock?: Clock;
}

export interface Probed {
  findings: readonly Judged[];
  /** The profile file to save. */
  profile: JsonObject;
}

const STANDING: Clock = { ...systemClock(), wall: () => NOON };

/** One probe of a sandbox over HTTP. */
export async function probed(sandbox: Sandbox, how: ProbedWith = {}): Promise<Probed> {
  const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  try {
    return await probedAt(served.url, how);
  } finally {
    await served.close();
  }
}

/** One probe of whatever answers there. */
export async function probedAt(baseUrl: string, how: ProbedWith = {}): Promise<Probed> {
  const given = { ...FAST, ...how.profile };
  const profile = readProfile(jsonText(given), 'of the test');
  const clock = how.clock ?? STANDING;
  const http = openTransport({
    baseUrl,
    timeouts: profile.http.timeouts,
    retryAfterMaxSeconds: 1,
    connections: 1,
  });
  try {
    const line = new ProbeLine({
      baseUrl,
      credentials: openCredentials({ ...MD5, ...how.credentials }),
      profile,
      zone: new Zone(profile.service.timeZone),
      http,
      clock,
      ids: randomIds(),
      signal: new AbortController().signal,
    });
    const findings = await probe(line, { ...KNOWN, ...how.facts }, how.isThorough === true);
    return { findings, profile: profileFound(given, profile, findings) };
  } finally {
    await http.close();
  }
}

const MD5: CredentialSettings = {
  apiKey: API_KEY.apiKey,
  appId: undefined,
  signType: 'MD5',
  secret: API_SECRET,
  privateKeyText: undefined,
  publicKeyText: undefined,
};

/** The findings of one question, or of one key of the profile. */
export function ofKey(findings: readonly Judged[], key: string): Judged[] {
  return findings.filter((finding) => finding.key === key || finding.u === key);
}

export function contradicted(findings: readonly Judged[]): string[] {
  return findings.filter(({ verdict }) => verdict === 'contradicted').map(({ u, key }) => `${u} ${key}`);
}
