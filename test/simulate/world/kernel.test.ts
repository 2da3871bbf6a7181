/** The virtual time of the simulation: in order, only when all is quiet, and the same every time. */
import { describe, expect, test } from 'vitest';
import { Kernel } from './kernel.ts';
import { Stream } from './random.ts';

describe('the kernel', () => {
  test('what is due happens in the order of time, and at one time in the order of asking', async () => {
    const kernel = new Kernel({ worksOutside: false });
    const happened: string[] = [];
    await kernel.run(async () => {
      kernel.at(20, () => happened.push('20'));
      kernel.at(10, () => happened.push('10 first'));
      kernel.at(10, () => happened.push('10 second'));
      kernel.callOff(kernel.at(15, () => happened.push('called off')));
      await kernel.sleep(30);
      happened.push(`slept to ${kernel.nowMs}`);
    });
    expect(happened).toEqual(['10 first', '10 second', '20', 'slept to 30']);
  });

  test('time stands still while real work is under way, and one work is done after the other', async () => {
    const kernel = new Kernel({ worksOutside: true });
    const done: string[] = [];
    const work = (name: string, realMs: number): Promise<void> =>
      kernel.during(async () => {
        await new Promise((resolve) => setTimeout(resolve, realMs));
        done.push(`${name} at ${kernel.nowMs}`);
      });
    await kernel.run(async () => {
      kernel.at(5, () => done.push('5'));
      await Promise.all([work('slow', 20), work('fast', 0)]);
      await kernel.sleep(10);
    });
    expect(done).toEqual(['slow at 0', 'fast at 0', '5']);
  });

  test('a sleep ends when its signal is aborted', async () => {
    const kernel = new Kernel({ worksOutside: false });
    const stop = new AbortController();
    const ended = await kernel.run(async () => {
      kernel.at(5, () => stop.abort(new Error('stopped')));
      return await kernel.sleep(1_000, stop.signal).catch((error: unknown) => String(error));
    });
    expect([ended, kernel.nowMs]).toEqual(['Error: stopped', 5]);
  });

  test('a simulation that waits for nothing says so instead of hanging', async () => {
    const kernel = new Kernel({ worksOutside: false });
    await expect(kernel.run(() => new Promise(() => undefined))).rejects.toThrow('nothing is due any more');
  });

  test('streams of one seed are apart: what one draws leaves the others as they were', () => {
    const numbers = (stream: Stream): number[] => [1, 2, 3].map(() => stream.whole(0, 1_000_000));
    const alone = numbers(new Stream(7, 'network'));
    const [world, network] = [new Stream(7, 'world'), new Stream(7, 'network')];
    numbers(world);
    expect(numbers(network)).toEqual(alone);
    expect(numbers(new Stream(8, 'network'))).not.toEqual(alone);
    expect(numbers(new Stream(7, 'network'))).toEqual(alone);
  });
});
