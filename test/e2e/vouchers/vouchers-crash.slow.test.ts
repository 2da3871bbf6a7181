/**
 * H1, H3: a process that archives vouchers and dies at any call of a port, or whose disk fills up, and is started
 * again comes to the tables and files of one that was never interrupted; no half file has a final name.
 */
import { createHash } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import { Stopped } from '../../../src/core/errors.ts';
import type { Files } from '../../../src/core/ports.ts';
import { Death, Fate, mortal } from '../../helpers/mortal-process.ts';
import type { Process } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

let vouchers: VoucherNight;
beforeAll(async () => {
  vouchers = await VoucherNight.open();
  await vouchers.deposits('2026-03-01', 'D1', 'D2', 'D3');
  await vouchers.transfer('T1', { isSettled: true });
  await vouchers.withdrawal('W1');
});
afterAll(() => vouchers.close());

interface Story {
  name: string;
  /** The first file for which the disk has no room; of the stories together, every fourth. */
  fullAt: number;
  /** What went well before. */
  before: () => Promise<unknown>;
  now: string;
  deaths: number;
}

/** The voucher of D3 is not there on the first day. */
const STORIES: readonly Story[] = [
  {
    name: 'the first bundles',
    before: () => Promise.resolve(),
    now: '2026-03-02 02:00:00',
    fullAt: 1,
    deaths: 3,
  },
  {
    name: 'a late voucher that makes the second version',
    before: async () => {
      vouchers.night.sandbox.planVouchers([{ number: 'D3', as: 'empty_list', times: 1 }]);
      await vouchers.archive();
    },
    now: '2026-03-03 02:00:00',
    fullAt: 5,
    deaths: 3,
  },
  {
    name: 'a late voucher when the month is over',
    before: async () => {
      vouchers.night.sandbox.planVouchers([{ number: 'D3', as: 'empty_list', times: 1 }]);
      await vouchers.archive();
    },
    now: '2026-04-02 02:00:00',
    fullAt: 9,
    deaths: 3,
  },
];

const ZIP = '2026-03/vouchers-2026-03.zip';

async function begin(story: Story): Promise<void> {
  const { db, home } = vouchers.night;
  for (const table of ['voucher_check', 'voucher_place', 'voucher_bundle', 'voucher', 'voucher_due']) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  await sql`delete from progress where step like 'voucher%'`.execute(db);
  for (const folder of ['vouchers', 'bundles']) {
    await rm(path.join(home, folder), { recursive: true, force: true });
  }
  vouchers.night.moveTo('2026-03-02 02:00:00');
  await story.before();
  vouchers.night.moveTo(story.now);
}

/** Runs until its end or its death. */
async function live(as: (process: Process) => Process): Promise<'ended' | 'died'> {
  try {
    await vouchers.archive({ as });
    return 'ended';
  } catch (error) {
    if (error instanceof Death) return 'died';
    throw error;
  } finally {
    await vouchers.buryTheDead();
  }
}

/** What is in the tables and on the disk, without the moments at which it was made. */
async function found(): Promise<Record<string, string[]>> {
  const { db } = vouchers.night;
  const bundles = ['account_no', 'month', 'version', 'content_sha256', 'pages', 'files', 'missing'];
  return {
    dues: await vouchers.dues('account_no', 'month', 'tries', 'next_day'),
    files: await vouchers.files('sha256', 'bytes', 'pages', 'remark'),
    bundles: await lines(db, 'voucher_bundle', bundles),
    places: await lines(db, 'voucher_place', [
      'account_no',
      'version',
      'order_account_no',
      'kind',
      'number',
      'file_no',
      'part',
      'page',
      'pages',
    ]),
    archive: await vouchers.below('vouchers'),
    bundleFiles: await vouchers.below('bundles'),
  };
}

/** No half file has a final name: every original is what its name says, at any moment. */
async function expectWholeOriginals(what: string): Promise<void> {
  for (const name of await vouchers.below('vouchers')) {
    if (path.basename(name).startsWith('.tmp-')) continue;
    const bytes = await readFile(path.join(vouchers.night.home, 'vouchers', name));
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(path.basename(name), what).toBe(`${digest}.pdf`);
  }
}

function verified() {
  return vouchers.inProcess((process) => verifyArchive(process, undefined));
}

describe.each(STORIES)('$name', (story) => {
  let whole: Record<string, string[]>;
  let calls = 0;

  beforeAll(async () => {
    await begin(story);
    const fate = new Fate();
    expect(await live((process) => mortal(process, fate))).toBe('ended');
    calls = fate.calls;
    whole = await found();
    expect(await verified()).toMatchObject({ originals: 6, bundles: 2, faults: [] });
    expect(whole['bundleFiles']).toContain('2026-03/P/vouchers-P-2026-03.pdf');
    expect(whole['bundleFiles']?.includes(ZIP)).toBe(story.now >= '2026-04');
  }, 300_000);

  test.each(Array.from({ length: story.deaths }, (_, at) => at))(
    'H1: dies at moment %# and is started again: as if it had never died',
    async (at) => {
      const atCall = 1 + Math.floor((at * calls) / story.deaths);
      const when = at % 2 === 0 ? 'before' : 'after';
      const what = `killed ${when} call ${atCall} of ${calls}`;
      await begin(story);
      expect(await live((process) => mortal(process, new Fate({ atCall, when }))), what).toBe('died');
      await expectWholeOriginals(what);
      expect(await live((process) => process), what).toBe('ended');
      expect(await found(), what).toEqual(whole);
      expect(await verified(), what).toMatchObject({ originals: 6, bundles: 2, faults: [] });
    },
  );

  test('H3: the disk fills up at some file that is written: said with its path, and the rerun converges', async () => {
    for (let nth = story.fullAt; ; nth += 12) {
      await begin(story);
      const disk = fullAt(nth);
      const archiving = vouchers.archive({ as: (process) => ({ ...process, files: disk(process.files) }) });
      const outcome = await archiving.then(
        () => 'ended' as const,
        (error: unknown) => error,
      );
      await vouchers.buryTheDead();
      if (outcome === 'ended') {
        expect(nth).toBeGreaterThan(8);
        break;
      }
      expect(outcome).toBeInstanceOf(Stopped);
      expect((outcome as Stopped).message).toMatch(/^cannot write .*: no space is left on the disk$/);
      await expectWholeOriginals(`full at file ${nth}`);
      expect(await live((process) => process)).toBe('ended');
      expect(await found(), `full at file ${nth}`).toEqual(whole);
      expect(await verified()).toMatchObject({ faults: [] });
    }
  }, 300_000);
});

/** A disk on which the n-th file and every later one finds no room: half of it is written, then no more. */
function fullAt(nth: number): (files: Files) => Files {
  let written = 0;
  return (files) => {
    const fill = (place: string, produce: (temporary: string) => Promise<void>): Promise<void> =>
      files.writeWholeWith(place, async (temporary) => {
        await produce(temporary);
        if ((written += 1) >= nth) await appendFile('/dev/full', 'the other half');
      });
    return {
      ...files,
      writeWhole: (place, bytes) => fill(place, (temporary) => appendFile(temporary, bytes)),
      writeWholeWith: fill,
    };
  };
}
