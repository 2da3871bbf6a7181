/** What is proposed to be done about a break stands beside its status, over nights and other words. */
import { expect, test } from 'vitest';
import { say } from '../../../jobs/breaks/work-on-breaks.ts';
import type { Saying } from '../../../jobs/breaks/say.ts';
import { findBreaks, listBreakEvents } from '../../../src/store/runs/breaks.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import { at } from '../../helpers/service-time.ts';

test('what is proposed to be done stays beside the status until something else is proposed', async () => {
  await using database = await closing();
  const { db } = database;
  const books = new Books(db);
  const opening = '2026-03-01 00:00:00';
  await books.account('A1', { fen: 0n, at: opening });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 0n, at: opening }]);
  await books.proven('A1', '2026-02-20', '2026-03-04');
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  for (let day = 2; day <= 3; day++) await books.balance('A1', { at: `2026-03-0${day} 00:00:05`, fen: 500n });
  await books.night('2026-03-01');
  const { break_id: id } = await db.selectFrom('break').select('break_id').executeTakeFirstOrThrow();
  const on = async (day: string, by: string, saying: Saying): Promise<number> => {
    const clock = { wall: () => at(`${day} 10:00:00`) } as never;
    const request = { selection: { breakIds: [id] }, saying, speaker: { by, today: day } };
    return (await say({ db, clock }, request)).changes.length;
  };
  expect(await on('2026-03-02', 'Li Na', { kind: 'action', action: 'correct_amount' })).toBe(1);
  expect(await on('2026-03-02', 'Wang', { kind: 'action', action: 'correct_amount' })).toBe(0);
  await on('2026-03-02', 'Li Na', { kind: 'explain', reason: 'booked tomorrow' });
  await books.night('2026-03-02');
  const kept = (await findBreaks(db, { breakIds: [id], withClosed: true }, '2026-03-03'))[0];
  expect(kept?.work).toMatchObject({ status: 'explained', action: 'correct_amount' });
  await on('2026-03-03', 'Li Na', { kind: 'action', action: undefined });
  expect(
    (await findBreaks(db, { breakIds: [id], withClosed: true }, '2026-03-03'))[0]?.work?.action,
  ).toBeUndefined();
  expect((await listBreakEvents(db, id)).map((row) => `${row.event} ${row.actor}`)).toEqual([
    'opened recon',
    'action_proposed Li Na',
    'explained Li Na',
    'action_proposed Li Na',
  ]);
  expect((await verifyTrail(db)).faults).toEqual([]);
});

async function closing() {
  const database = await testDatabase();
  return { db: database.db, [Symbol.asyncDispose]: () => database.close() };
}
