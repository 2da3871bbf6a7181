/** Three accounts whose fen can be followed by hand, and one seeded transfer order between them. */
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { TransferSeed } from '../../src/sandbox/orders/order-schema.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { sandboxAtNoon } from './caller.ts';
import { money } from './orders/orders-caller.ts';

/** P 100,000, Q 5,000 and X 5,000 at noon. */
export function three(switches: SwitchesPatch = {}, autoSettle = false): Sandbox {
  const sandbox = sandboxAtNoon({ switches });
  sandbox.seedAccounts([
    { accountNo: 'P', role: 'FQ', balanceFen: 100_000 },
    { accountNo: 'Q', balanceFen: 5_000, autoSettle },
    { accountNo: 'X', balanceFen: 5_000 },
  ]);
  return sandbox;
}

export const balances = (sandbox: Sandbox): unknown => ['P', 'Q', 'X'].map((no) => money(sandbox, no));

type Seeded = Partial<TransferSeed['orders'][number]>;

export function seedOne(sandbox: Sandbox, order: Seeded, over: Partial<TransferSeed> = {}): void {
  const orders = [{ outOrderNo: 'O-1', payeeAcctNo: 'Q', amountFen: 10_000, ...order }];
  sandbox.seedTransfers([
    { outBatchNo: 'B-1', payerAcctNo: 'P', submittedAt: '2026-03-01 12:00:00', orders, ...over },
  ]);
}
