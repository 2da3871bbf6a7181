import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { OutcomeUnknown } from '../../src/core/errors.ts';
import { isJsonObject } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openLog } from '../../src/core/log.ts';
import type { Log } from '../../src/core/ports.ts';
import { virtualClock } from './virtual-clock.ts';
import { fc } from '../helpers/properties.ts';

const SECRETS = ['sk_test_001', 'as_test_001'];

function loggedBy(write: (log: Log) => void): { raw: string[]; lines: JsonObject[] } {
  const raw: string[] = [];
  const destination = { write: (text: string) => void raw.push(text) };
  write(openLog({ level: 'debug', secrets: SECRETS, clock: virtualClock(), destination }));
  const lines = raw.map((text) => JSON.parse(text) as unknown).filter(isJsonObject);
  return { raw, lines };
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): JsonObject {
  return loggedBy((log) => log.info({ event: 'test.ran', ...fields })).lines[0] ?? {};
}

describe('a line', () => {
  test('is one JSON object with level, time of the clock, event and fields', () => {
    const { raw } = loggedBy((log) =>
      log.info({ event: 'break.found', class: 'amount', accountNo: '100001', differenceFen: -5n }),
    );
    expect(raw).toEqual([
      '{"level":"info","time":"2026-03-01T16:00:00.000Z","event":"break.found","class":"amount","accountNo":"100001","differenceFen":-5}\n',
    ]);
  });

  test('carries the fields of its log too', () => {
    const { lines } = loggedBy((log) =>
      log.with({ runId: 'r1' }).with({ day: '2026-03-01' }).warn({ event: 'a.b', day: 'x' }),
    );
    expect(lines).toEqual([
      { level: 'warn', time: '2026-03-01T16:00:00.000Z', event: 'a.b', runId: 'r1', day: 'x' },
    ]);
  });

  test('below the level is not written', () => {
    const raw: string[] = [];
    const destination = { write: (text: string) => void raw.push(text) };
    const log = openLog({ level: 'warn', secrets: [], clock: virtualClock(), destination });
    log.debug({ event: 'a.b' });
    log.info({ event: 'a.b' });
    log.error({ event: 'c.d' });
    expect(raw).toHaveLength(1);
  });

  test('cannot be given another level, time or shape by its fields', () => {
    const { raw } = loggedBy((log) =>
      log.info({ event: 'a.b', level: 'error', time: 'never', err: { message: 'm' } }),
    );
    expect(raw).toEqual([
      '{"level":"info","time":"2026-03-01T16:00:00.000Z","event":"a.b","level_":"error","time_":"never","err":{"message":"m"}}\n',
    ]);
  });
});

describe('nothing personal and no secret is written (S4, S6)', () => {
  test('at any depth, in any kind of value', () => {
    const deep = { list: [{ remark: '卡6222021234567890123' }], map: new Map([['mobile', 13_812_345_678]]) };
    const { raw } = loggedBy((log) =>
      log.with({ url: 'https://x/?k=as_test_001' }).info({ event: 'a.b', deep, key: 'sk_test_001' }),
    );
    expect(raw[0]).not.toMatch(/6222021234567890123|13812345678|test_001/);
    expect(raw[0]).toContain('****0123');
    expect(raw[0]).toContain('138****5678');
  });

  test('in errors, their facts and their causes', () => {
    const error = new OutcomeUnknown(
      'no answer for 13812345678',
      { reqId: 'r1', idCardNo: '11010519491231002X' },
      {
        cause: new Error('secret sk_test_001'),
      },
    );
    const { raw, lines } = loggedBy((log) => log.error({ event: 'call.failed', error }));
    expect(raw[0]).not.toMatch(/13812345678|11010519491231002X|sk_test_001/);
    const shown = lines[0]?.['error'];
    expect(isJsonObject(shown) && shown['name']).toBe('OutcomeUnknown');
    expect(isJsonObject(shown) && shown['message']).toBe('no answer for 138****5678');
    expect(isJsonObject(shown) && shown['facts']).toEqual({ reqId: 'r1', idCardNo: '110***********002X' });
  });

  test('nor in a name of a member, or in a personal member of another type', () => {
    const shown = fieldsOf({
      byCard: { '6222021234567890123': 1 },
      mobile: [13_812_345_678],
      payerName: null,
    });
    expect(shown['byCard']).toEqual({ '****0123': 1 });
    expect(shown['mobile']).toBe('[masked]');
    expect(shown['payerName']).toBeNull();
  });
});

describe('no text can forge a line (I9, S10)', () => {
  test('one event is one line, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, text) => {
        const { raw } = loggedBy((log) =>
          log.info({ event: 'a.b', [name]: text, inner: { [name]: [text] } }),
        );
        expect(raw).toHaveLength(1);
        expect(raw[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
        expect(raw[0]?.endsWith('}\n')).toBe(true);
      }),
    );
  });

  test('a control in the name of a field is escaped too', () => {
    const { raw } = loggedBy((log) => log.info({ event: 'a.b', 'x\u007f': 1 }));
    expect(raw[0]).toContain('"x\\\\u007f":1');
  });

  test('controls are seen as what they are', () => {
    expect(fieldsOf({ remark: 'a\r\nb\u001B[31m\u202Ec\u0000' })['remark']).toBe(
      'a\\u000d\\u000ab\\u001b[31m\\u202ec\\u0000',
    );
  });

  test('a text of more than 2,000 characters is cut, and its length said', () => {
    expect(fieldsOf({ body: 'x'.repeat(2_001) })['body']).toBe(`${'x'.repeat(2_000)}… (2001 characters)`);
    expect(fieldsOf({ body: 'x'.repeat(2_000) })['body']).toBe('x'.repeat(2_000));
  });

  test('a secret on the edge of a cut is not shown in part', () => {
    const body = `${'6'.repeat(16)} `.repeat(5_882) + `${'y'.repeat(0)}sk_test_001`;
    const shown = fieldsOf({ body, edge: `${'sk_test_001'.repeat(9_090)}sk_test_0` });
    expect(JSON.stringify(shown)).not.toContain('sk_t');
  });
});

describe('any value can be logged', () => {
  test('circles, depth, lists without end and odd kinds', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle['self'] = circle;
    const deep = Array.from({ length: 9 }).reduce<unknown>((inner) => ({ inner }), 1);
    const shown = fieldsOf({
      circle,
      deep,
      list: Array.from({ length: 102 }, () => 1),
      bytes: new Uint8Array(3),
      when: new Date(0),
      big: 2n ** 60n,
      nothing: undefined,
      call: () => 1,
    });
    expect(shown['circle']).toEqual({ a: 1, self: '[circular]' });
    expect(JSON.stringify(shown['deep'])).toContain('[deep]');
    expect(shown['list']).toHaveLength(101);
    expect([shown['bytes'], shown['when'], shown['big']]).toEqual([
      '[3 bytes]',
      '1970-01-01T00:00:00.000Z',
      '1152921504606846976',
    ]);
    expect('nothing' in shown || 'call' in shown).toBe(false);
  });

  test('a value that throws when it is read does not stop the work', () => {
    const trap = {
      get a(): never {
        throw new Error('trap for 13812345678');
      },
    };
    const { lines } = loggedBy((log) => log.info({ event: 'a.b', trap }));
    expect(lines[0]).toMatchObject({ event: 'a.b', unloggable: 'trap for 138****5678' });
  });
});

describe('H17: a log that cannot be written stops nothing', () => {
  const script = fileURLToPath(new URL('chatty.ts', import.meta.url));

  test('when its reader went away', () => {
    const said = execFileSync('sh', [
      '-c',
      '("$0" "$1" 2>&1 1>&3 | head -n 1 >/dev/null) 3>&1',
      process.execPath,
      script,
    ]);
    expect(said.toString()).toBe('the work is done\n');
  });

  test('when its disk is full', () => {
    const said = execFileSync(process.execPath, [script, '/dev/full'], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(said.toString()).toBe('the work is done\n');
  });
});
