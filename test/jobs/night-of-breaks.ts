/** Books whose night has breaks, for commands that are about breaks and what is signed. */
import { Books } from '../helpers/company/books.ts';
import type { Db } from '../../src/store/schema/schema.ts';

const EACH_FEN = 500n;

/** The night of 1 March tells each of these deposits of A1, of 5.00 yuan, as one that its books do not have. */
export async function nightOfBreaks(db: Db, references: readonly string[] = ['D1']): Promise<void> {
  const books = new Books(db);
  const opening = '2026-03-01 00:00:00';
  await books.account('A1', { fen: 0n, at: opening });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 0n, at: opening }]);
  await books.proven('A1', '2026-02-20', '2026-03-02');
  const deposits = references.map((orderNo) => ({ orderNo, at: '2026-03-01 10:00:00', amountFen: EACH_FEN }));
  await books.deposits('A1', deposits);
  const fen = BigInt(references.length) * EACH_FEN;
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen });
  await books.night('2026-03-01');
}
