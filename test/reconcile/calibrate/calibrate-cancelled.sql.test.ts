/** Amounts of several days that cancel are no balance that the profile explains. */
import { expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { commandBooks } from '../../jobs/command-books.ts';

const { recon, onDatabase } = commandBooks();

test('are named where the residual is zero', async () => {
  await recon('calibrate');
  await onDatabase(async (db) => {
    const books = new Books(db);
    await books.account('200001', { fen: 1_000n, at: '2026-03-05 00:00:00' });
    await books.proven('200001', '2026-03-05', '2026-03-06');
    await books.balance('200001', { at: '2026-03-06 00:00:00', fen: 930n });
    await books.balance('200001', { at: '2026-03-07 00:00:00', fen: 1_000n });
    for (const day of ['2026-03-05', '2026-03-06']) await books.night(day);
  });
  const said = await recon('calibrate');
  expect(said.stdout).toBe(
    'all 1 residuals are zero, but proofs left amounts of both signs, which may only cancel: 200001\n',
  );
});
