/** What a probe makes of a platform that refuses in other words, answers badly, or cannot be asked at all. */
import { describe, expect, test } from 'vitest';
import { Stopped } from '../../../src/core/errors.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { addMs } from '../../../src/core/time.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { NOON } from '../../sandbox/caller.ts';
import { listen } from '../../platform/platform-server.ts';
import { PAYEE, contradicted, ofKey, probed, probedAt, sandboxWith } from './probe-world.ts';

function faulty(...faults: readonly FaultSeed[]): Sandbox {
  const sandbox = sandboxWith();
  for (const fault of faults) sandbox.addFault(fault);
  return sandbox;
}

describe('U42: words of a refusal', () => {
  test('words the profile has no rule for become rules; not found is known on its own endpoint only', async () => {
    const first = await probed(sandboxWith(), { profile: { errors: { classes: [] } } });
    const meanings = ofKey(first.findings, 'errors.classes');
    expect(meanings.map(({ inForce, found, verdict }) => [inForce, found, verdict])).toEqual([
      ['BUSINESS', 'AUTH', 'contradicted'],
      ['BUSINESS', 'NOT_FOUND', 'contradicted'],
      ['BUSINESS', 'NOT_FOUND', 'contradicted'],
      ['BUSINESS', 'NOT_FOUND', 'contradicted'],
      ['BUSINESS', 'PARAM', 'contradicted'],
    ]);
    const { classes } = first.profile['errors'] as {
      classes: { path?: string; code: string; class: string }[];
    };
    expect(classes.map((rule) => [rule.class, rule.path, rule.code])).toEqual([
      ['PARAM', undefined, '^200001$'],
      ['NOT_FOUND', String.raw`^account\/queryWithdraw$`, '^300001$'],
      ['NOT_FOUND', String.raw`^division\/query$`, '^300001$'],
      ['NOT_FOUND', String.raw`^acct\/queryInfo$`, '^300001$'],
      ['AUTH', undefined, '^100402$'],
    ]);
    const again = await probed(sandboxWith(), { profile: first.profile });
    expect(contradicted(again.findings)).toEqual([]);
  });

  test('the same words for all reasons make no rule, and what is personal in them is masked', async () => {
    const msg = '请联系 13812345678';
    const { findings, profile } = await probed(
      faulty({ kind: 'unmapped_code', code: 'E1', msg, times: null }),
    );
    const meanings = ofKey(findings, 'errors.classes').slice(1);
    expect(new Set(meanings.map(({ verdict }) => verdict))).toEqual(new Set(['open']));
    expect(meanings[0]?.answer).toContain('E1 请联系 138****5678: the same words for other reasons');
    expect(JSON.stringify(findings)).not.toContain('13812345678');
    expect(profile).not.toHaveProperty('errors');
  });
});

describe('U42: a refusal without words', () => {
  test.each(['', '404', '404 # 7', 'recon-probe-0'])('%j is no rule for not found', async (msg) => {
    const refusal = { kind: 'unmapped_code', code: 'E1', msg, times: 1 } as const;
    const faults = [
      { ...refusal, path: 'division/query' },
      { ...refusal, path: 'account/queryWithdraw' },
    ] as const;
    const { findings, profile } = await probed(faulty(...faults));
    const open = ofKey(findings, 'errors.classes').filter(({ verdict }) => verdict === 'open');
    expect(open.map(({ found }) => found)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(open[0]?.answer).toContain('its words are too few or too many, so no rule can tell them apart');
    expect(profile).not.toHaveProperty('errors');
  });
});

describe('U4: signatures of answers', () => {
  test('a platform that signed before and does not now is contradicted, and nothing is loosened', async () => {
    const sandbox = sandboxWith({ switches: { signAnswers: false } });
    const { findings, profile } = await probed(sandbox, { facts: { everSigned: true } });
    expect(ofKey(findings, 'signing.requireResponseSign')).toMatchObject([
      { found: 'no longer signed', verdict: 'contradicted' },
    ]);
    expect(profile).not.toHaveProperty('signing');
  });

  test('signatures that no string explains are contradicted without a proposal', async () => {
    const { findings, profile } = await probed(faulty({ kind: 'corrupt_sign', times: null }));
    expect(ofKey(findings, 'signing.response.fields')).toMatchObject([
      { found: 'none of them', verdict: 'contradicted' },
    ]);
    expect(profile).not.toHaveProperty('signing');
  });

  test('one answer that was changed on the way leaves the question open', async () => {
    const { findings } = await probed(faulty({ kind: 'corrupt_biz_data', path: 'query/deposit' }));
    expect(ofKey(findings, 'signing.response.fields')).toMatchObject([{ found: 'all', verdict: 'open' }]);
  });
});

describe('answers that are odd', () => {
  test('U45: a total that is not the number of records is contradicted', async () => {
    const sandbox = sandboxWith({ switches: { totalOffset: 1 } });
    const { findings } = await probed(sandbox);
    expect(ofKey(findings, 'deposits.verify')).toMatchObject([{ verdict: 'contradicted' }]);
  });

  test('U45: an order that changes from call to call is found', async () => {
    const sandbox = sandboxWith({ switches: { depositOrder: 'unstable' } });
    sandbox.seedDeposits(
      Array.from({ length: 30 }, (_, place) => ({
        payeeAcctNo: PAYEE,
        amountFen: 100,
        depositTime: `2026-02-25 10:00:${String(place).padStart(2, '0')}`,
      })),
    );
    const { findings, profile } = await probed(sandbox);
    expect(ofKey(findings, 'emulator.depositOrder')).toMatchObject([{ found: 'unstable' }]);
    expect(profile['emulator']).toEqual({ depositOrder: 'unstable' });
  });

  test('U34: a settlement state without a meaning is named; what it means nobody guesses', async () => {
    const { findings, profile } = await probed(sandboxWith(), {
      facts: { settleWords: ['SUCCESS', 'ODD_WORD'] },
    });
    const [found] = ofKey(findings, 'settle.stateMap');
    expect(found).toMatchObject({ found: 'ODD_WORD, SUCCESS', verdict: 'open' });
    expect(found?.answer).toContain('never retried: ODD_WORD; ask the platform');
    expect(profile).not.toHaveProperty('settle');
  });

  test('U51: a prefix that the profile does not take off is contradicted', async () => {
    const sandbox = sandboxWith();
    sandbox.planVouchers([{ as: 'data_uri' }]);
    const { findings, profile } = await probed(sandbox, { profile: { vouchers: { stripDataUri: false } } });
    expect(ofKey(findings, 'vouchers.stripDataUri')).toMatchObject([{ verdict: 'contradicted' }]);
    expect(profile['vouchers']).toEqual({ stripDataUri: true });
  });

  test('U18: a zone with a half hour is found, and a person has to name it', async () => {
    const sandbox = sandboxWith({
      profile: readProfile('{"service": {"timeZone": "Asia/Kolkata"}}', 'of it'),
    });
    const { findings, profile } = await probed(sandbox);
    expect(ofKey(findings, 'service.timeZone')).toMatchObject([
      { found: 'UTC+5:30', verdict: 'contradicted' },
    ]);
    expect(profile).not.toHaveProperty('service');
    expect(ofKey(findings, 'U24')).toMatchObject([{ verdict: 'confirmed' }]);
  });

  test('U23: balances that do not add up are told with the difference', async () => {
    const sandbox = faulty({
      kind: 'record',
      path: 'acct/queryInfo',
      times: null,
      set: { availableBalance: 1 },
    });
    const { findings } = await probed(sandbox);
    expect(ofKey(findings, 'inflight.model')).toMatchObject([
      { found: 'balance ≠ available + frozen', verdict: 'contradicted' },
    ]);
  });

  test('U47: a refusal as too frequent is asked again under a new reqId and costs no finding', async () => {
    const sandbox = faulty({ kind: 'too_frequent', path: 'account/queryWithdraw' });
    const { findings } = await probed(sandbox);
    expect(contradicted(findings)).toEqual([]);
    expect(ofKey(findings, 'compat.feeNames')).toMatchObject([{ verdict: 'confirmed' }]);
  });

  test('an endpoint that does not answer leaves its own questions open and the others answered', async () => {
    const sandbox = faulty({ kind: 'drop_before', path: 'query/deposit', times: null });
    const profile = { http: { rate: { perSecond: 10_000 }, retryQueries: false } };
    const { findings } = await probed(sandbox, { profile });
    expect(contradicted(findings)).toEqual([]);
    for (const key of ['deposits.accountField', 'deposits.windowMonths', 'deposits.pageSize']) {
      expect(ofKey(findings, key)).toMatchObject([{ verdict: 'open' }]);
    }
    expect(ofKey(findings, 'compat.bothIds')).toMatchObject([{ verdict: 'confirmed' }]);
  });
});

describe('a platform unlike the document', () => {
  const answering = (biz: string) =>
    listen((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ code: '000000', msg: '', timestamp: '20260301120000', bizData: biz }));
    });

  test.each(['{}', '[]', '', '{"orderList":7,"depositList":"x","fileList":null,"total":-1,"balance":{}}'])(
    'U42: one that takes any signature and answers %j is told as such, and no key is changed for its names',
    async (biz) => {
      await using server = await answering(biz);
      const { findings, profile } = await probedAt(server.url);
      const words = ofKey(findings, 'errors.classes').map(({ found, verdict }) => `${found}: ${verdict}`);
      expect(new Set(words)).toEqual(new Set(['it is accepted: contradicted']));
      expect(ofKey(findings, 'U1').map(({ verdict }) => verdict)).toEqual(['open', 'open', 'open']);
      expect(profile).not.toHaveProperty('signing');
    },
  );
});

describe('a platform that cannot be asked', () => {
  const told = async (asked: Promise<unknown>): Promise<string> => {
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Stopped);
    return (error as Stopped).message;
  };

  test('for its credential: every manner of signing is tried once, and no secret is said', async () => {
    const sandbox = sandboxWith();
    const message = await told(probed(sandbox, { credentials: { secret: 'another-secret' } }));
    expect(message).toMatch(/^the platform refuses all 14 manners of signing that were tried \(100402 /);
    expect(message).toContain('PLATFORM_SECRET');
    expect(message).not.toContain('another-secret');
    expect(sandbox.requests()).toHaveLength(15);
  });

  test('for its address: what answers there is not the service', async () => {
    const sandbox = faulty({ kind: 'http_status', status: 404, content: 'html', times: null });
    const profile = { http: { rate: { perSecond: 10_000 }, retryQueries: false } };
    expect(await told(probed(sandbox, { profile }))).toMatch(
      /HTTP 404.*is PLATFORM_URL the platform's address\?$/,
    );
  });

  test('N15: for our clock, which is a minute behind', async () => {
    const clock = { ...systemClock(), wall: () => addMs(NOON, -60_000) };
    expect(await told(probed(sandboxWith(), { clock }))).toBe(
      "the platform cannot be asked: this machine's clock is 61 s behind the platform's; set the clock",
    );
  });

  test('N15: a clock that is five seconds off is corrected, as the client does it', async () => {
    const clock = { ...systemClock(), wall: () => addMs(NOON, -5_000) };
    const { findings } = await probed(sandboxWith(), { clock });
    expect(contradicted(findings)).toEqual([]);
  });
});
