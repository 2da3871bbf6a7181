/** A process that does not run while its answer arrives, until its time is over (docs/reliability.md 2.3 a). */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { expect, test, vi } from 'vitest';
import { listenRaw, successText } from './platform-server.ts';
import { bytesServer, failureOf, HEAD } from './transport-calls.ts';

const TRANSPORT = new URL('../../src/platform/transport.ts', import.meta.url).href;
const DEADLINE_MS = 2_000;
const LONG_MS = 10_000;

/** One call of another process; `headersMs`, `deadlineMs`: it gives up after that. */
function caller(url: string, { headersMs, deadlineMs }: { headersMs: number; deadlineMs: number }) {
  const script = `
    const { openTransport } = await import('${TRANSPORT}');
    const http = openTransport({ baseUrl: '${url}', connections: 1, retryAfterMaxSeconds: 60,
      timeouts: { connectMs: 500, headersMs: ${headersMs}, bodyMs: 10000 } });
    await http.post({ url: '${url}/x', body: '{}', deadlineMs: ${deadlineMs}, bytesMax: 100000 })
      .then((answer) => console.log('answered ' + answer.status), (error) => console.log(error.name));
    process.exit(0);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test.each<
  [string, { isStopped: boolean; headersMs: number; deadlineMs: number; isAnswered: boolean }, string]
>([
  [
    'runs on',
    { isStopped: false, headersMs: LONG_MS, deadlineMs: DEADLINE_MS, isAnswered: true },
    'answered 200',
  ],
  [
    'is stopped past its deadline',
    { isStopped: true, headersMs: LONG_MS, deadlineMs: DEADLINE_MS, isAnswered: true },
    'answered 200',
  ],
  [
    'is stopped past the time of the head',
    { isStopped: true, headersMs: DEADLINE_MS, deadlineMs: LONG_MS, isAnswered: true },
    'answered 200',
  ],
  [
    'is stopped far past its deadline, and finds nothing,',
    { isStopped: true, headersMs: LONG_MS, deadlineMs: 500, isAnswered: false },
    'OutcomeUnknown',
  ],
])(
  '2.3 a: a process that %s does not take it for silence',
  async (_name, of, expected) => {
    const text = successText({ state: 'PROCESSING' });
    const answer = `${HEAD}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    const children: ChildProcess[] = [];
    const signal = (name: NodeJS.Signals) => children[0]?.kill(name);
    await using server = await listenRaw((socket) => {
      socket.on('data', () => {
        if (of.isStopped) signal('SIGSTOP');
        if (of.isAnswered) setTimeout(() => socket.write(answer), 100);
        setTimeout(() => signal('SIGCONT'), DEADLINE_MS + 1_000);
      });
    });
    const calling = caller(server.url, of);
    children.push(calling);
    const [said] = (await once(calling.stdout, 'data')) as [Buffer];
    expect(said.toString().trim()).toBe(expected);
  },
  30_000,
);

test.each<[string, number, string]>([
  ['ran on', 0, 'NoAnswer'],
  ['was suspended', 3_600, 'OutcomeUnknown'],
])('2.3 a: silence on a machine that %s', async (_name, asleepSeconds, expected) => {
  await using server = await bytesServer(() => {
    // The clock of its boot runs on while it is suspended, and the monotonic one does not.
    const real = os.uptime();
    vi.spyOn(os, 'uptime').mockImplementation(() => real + asleepSeconds);
  });
  const failure = await failureOf(server.url, { deadlineMs: 200 });
  vi.restoreAllMocks();
  expect(failure.name).toBe(expected);
});
