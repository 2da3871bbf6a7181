/** What long work says of itself: lines in a log file, a bar on a terminal. */
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { countingRows, openProgress } from '../../../jobs/context/progress.ts';
import { virtualClock } from '../../core/virtual-clock.ts';

interface Told {
  stream: NodeJS.WriteStream;
  text: () => string;
}

function written(terminal: Partial<NodeJS.WriteStream> = {}): Told {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      parts.push(chunk.toString());
      done();
    },
  });
  return { stream: Object.assign(stream as NodeJS.WriteStream, terminal), text: () => parts.join('') };
}

describe('lines', () => {
  test('of work whose extent is known say how much is left', async () => {
    const [clock, told] = [virtualClock(), written()];
    const progress = openProgress('deposits', { clock, stream: told.stream });
    progress.total(4);
    progress.step({ records: 10, pages: 1 });
    await clock.sleep(20_000);
    progress.step({ records: 30, pages: 2 });
    progress.done();
    expect(told.text().split('\n')[0]).toBe(
      'deposits: 2/4 done, 30 records, 2 pages, 2 records/s, about 0:20 left',
    );
  });

  test('of work whose extent nobody knows say what is done', async () => {
    const [clock, told] = [virtualClock(), written()];
    const progress = openProgress('ledger rows', { clock, stream: told.stream });
    await clock.sleep(12_000);
    progress.show({ rows: 6_000 });
    expect(told.text()).toBe('ledger rows: 6000 rows, 500 rows/s\n');
  });

  test('of rows end with all of them, and there are none of what was read at once', async () => {
    const [clock, told] = [virtualClock(), written()];
    const read = (sizes: readonly number[]) =>
      countingRows(openProgress('ledger rows', { clock, stream: told.stream }), async (count) => {
        for (const size of sizes) {
          count(size);
          await clock.sleep(11_000);
        }
      });
    await read([5]);
    expect(told.text()).toBe('');
    await read([5, 10, 20]);
    expect(told.text().split('\n').at(-2)).toBe('ledger rows: 20 rows, 1 rows/s');
  });
});

test('a bar on a terminal is drawn where there is a share to draw', async () => {
  const terminal = { isTTY: true, columns: 120, cursorTo: () => true, clearLine: () => true } as const;
  const [clock, told] = [virtualClock(), written(terminal)];
  const progress = openProgress('ledger rows', { clock, stream: told.stream });
  await expect.poll(told.text).toContain('ledger rows');
  await clock.sleep(2_000);
  progress.show({ rows: 6_000 });
  progress.done();
  await expect.poll(told.text).toContain('ledger rows: 6000 rows, 3000 rows/s');
  expect(told.text()).not.toMatch(/[█░%]|0\/0/);
});
