/**
 * Saving what was asked of batches and withdrawals: hundreds of answers a transaction, whole or not at all, and
 * once however often they are saved. What did not change is not written (DIV-28, WDR-14, P2–P6, N11).
 */
import type { Transaction } from 'kysely';
import { unitOfWork } from '../store/database/unit-of-work.ts';
import type { OrderSave, OrdersSaved } from './orders-answers.ts';
import { applyAnswers } from './apply-answers.ts';
import type { JudgedAnswers } from './apply-answers.ts';
import { readStock } from './known-orders.ts';
import { writeDrafts } from './orders-write.ts';
import { keepSlowest } from './slowest-look.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { Db, Tables } from '../store/schema/schema.ts';

export type {
  BatchLook,
  ListedOrder,
  LookMoments,
  OrderAnswer,
  OrderSave,
  OrdersSaved,
  WithdrawalLook,
} from './orders-answers.ts';

const NOTHING: OrdersSaved = { transferOrders: 0, withdrawals: 0, changed: 0, failures: [], overtaken: [] };

/**
 * Saves a batch of answers and plans when each of them is asked for again.
 * @param commit the last statement of the transaction, which may say that nothing is to be stored
 */
export async function saveOrders(
  db: Db,
  request: OrderSave,
  commit: (trx: Transaction<Tables>) => Promise<void> = () => Promise.resolve(),
): Promise<OrdersSaved> {
  if (request.answers.length === 0) return NOTHING;
  return unitOfWork(db, async (trx) => {
    const { listed: _listed, ...saved } = await saveOrdersIn(trx, request);
    await commit(trx);
    return saved;
  });
}

/**
 * The same inside a transaction of the caller's.
 * @param of.claimed what the answers were asked for under, by whichever numbers
 * @param of.locked called when nobody else can change the orders, or what was claimed, before anything is stored
 */
export async function saveOrdersIn(
  trx: Transaction<Tables>,
  request: OrderSave,
  {
    claimed = [],
    locked = () => Promise.resolve(),
  }: { claimed?: readonly UnitKey[]; locked?: () => Promise<void> } = {},
): Promise<OrdersSaved & Pick<JudgedAnswers, 'listed'>> {
  const stock = await readStock(trx, request.answers, claimed);
  await locked();
  const { drafts, listed, saved } = applyAnswers(request, stock);
  await writeDrafts(trx, request, drafts);
  await keepSlowest(trx, request.answers);
  return { ...saved, listed };
}
