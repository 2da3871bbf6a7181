/** What the demo is made of while it is built: what is seeded, the company's own books, and what is planted. */
import type { Fen } from '../../core/fen.ts';
import type { Day, Zone } from '../../core/time.ts';
import type { TransferSeed, WithdrawalSeed } from '../orders/order-schema.ts';
import type { Seeded } from '../world/random.ts';
import type { DepositSeed, MovementSeed } from '../world/seed-schema.ts';
import type { DemoAccount } from './demo-accounts.ts';
import type { Payer } from './people.ts';

/** An entry of the company's ledger. */
export interface LedgerEntry {
  accountNo: string;
  kind:
    | 'opening'
    | 'deposit'
    | 'transfer_out'
    | 'transfer_in'
    | 'settlement'
    | 'refund_out'
    | 'refund_in'
    | 'withdrawal'
    | 'fee';
  amountFen: Fen;
  /** Empty where the company did not note a number. */
  reference: string;
  outBatchNo?: string;
  counterparty: string;
  /** `yyyy-MM-dd HH:mm:ss` in service time. */
  bookedAt: string;
  status: 'posted' | 'pending';
  memo: string;
}

/** An order as the company registered it before it sent it. */
export interface Registered {
  kind: 'transfer' | 'withdrawal';
  outBatchNo: string;
  outOrderNo: string;
  /** The platform's numbers; empty where no answer gave them. */
  batchNo: string;
  orderNo: string;
  payerAccountNo: string;
  /** Empty for a withdrawal. */
  payeeAccountNo: string;
  amountFen: Fen;
  /** `yyyy-MM-dd HH:mm:ss` in service time. */
  submittedAt: string;
  outcome: 'accepted' | 'unknown';
}

/** What a night is expected to find. */
export interface Planted {
  class: string;
  accountNo: string;
  /** As the result of a run refers to it (docs/architecture.md 5.5). */
  reference: string;
  /** Platform less ledger; 0 for a finding that says nothing about an amount. */
  differenceFen: Fen;
  /** The day whose night finds it first, and the last whose night does; by default it stays. */
  foundBy: Day;
  until?: Day;
  note: string;
  /** What its night's retry of a failed settlement comes to; one that succeeds is no finding any more. */
  retried?: 'SUCCESS' | 'FAIL';
  /** A finding that another planted one brings with it, by that one's class. */
  follows?: string;
}

/** What is collected while the scenario is built. */
export interface DemoDraft {
  random: Seeded;
  zone: Zone;
  days: readonly Day[];
  accounts: readonly DemoAccount[];
  /** Who pays the deposits that are planted. */
  plantPayers: Payer[];
  deposits: DepositSeed[];
  transfers: TransferSeed[];
  withdrawals: WithdrawalSeed[];
  movements: MovementSeed[];
  emptyListingOf: string[];
  ledger: LedgerEntry[];
  registry: Registered[];
  planted: Planted[];
}
