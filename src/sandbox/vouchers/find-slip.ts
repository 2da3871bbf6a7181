/** Finds the order a voucher is asked for, and what its slip says: only orders that succeeded have one (VCH-08). */
import { goneAtMs, orderMeaning, turnAt } from '../orders/life.ts';
import type { Life } from '../orders/life.ts';
import { realOf } from '../orders/money.ts';
import type { OrderInBatch, OrderNumber } from '../orders/order-index.ts';
import { isThere } from '../orders/order-index.ts';
import { isShown } from '../orders/order.ts';
import type { Settlement, Withdrawal } from '../orders/order.ts';
import { Refused } from '../protocol/refusal.ts';
import { isSpecial } from '../world/deposit-index.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { BANK } from './slip-page.ts';
import { maskedBankAccount } from './slip.ts';
import type { Slip, SlipParty, TransType } from './slip.ts';

export interface FoundSlip {
  slip: Slip;
  /** When the order became final. */
  finalAtMs: number;
}

/** @throws Refused for an order the caller does not have, of another type, or that has not succeeded (VCH-05, VCH-08) */
export function findSlip(
  world: World,
  merchant: string,
  asked: { transType: TransType; number: OrderNumber },
): FoundSlip {
  const { transType, number } = asked;
  if (transType === '1') return depositSlip(world, merchant, number.platform ?? '');
  if (transType === '3') return transferSlip(world, requireTransfer(world, merchant, number));
  const withdrawal = world.orders.withdrawal(merchant, number);
  if (withdrawal && isThere(withdrawal, world.clock.nowMs())) return withdrawalSlip(world, withdrawal);
  if (world.switches.autoWithdrawVoucher === 'refused') throw notFound();
  return settlementSlip(world, requireTransfer(world, merchant, number));
}

function depositSlip(world: World, merchant: string, orderNo: string): FoundSlip {
  const nowMs = world.clock.nowMs();
  for (const account of world.accounts.values()) {
    const deposit = account.merchant === merchant ? account.shelf.find(orderNo) : undefined;
    if (!deposit) continue;
    const finalAtMs = isSpecial(deposit) ? deposit.visibleFromMs : deposit.depositedAtMs;
    const isGone = isSpecial(deposit) && deposit.vanishesAtMs <= nowMs;
    if (finalAtMs > nowMs || isGone) throw notFound();
    return foundSlip(world, deposit, {
      kind: 'deposit',
      orderNo,
      outOrderNo: '',
      batchNo: '',
      payer: bankParty(deposit.payerName, deposit.payerAcctNo, deposit.payerBankNo),
      payee: registryParty(account),
      remark: deposit.remark,
      atMs: deposit.depositedAtMs,
      finalAtMs,
    });
  }
  throw notFound();
}

/** What orders of all kinds have. */
type Money = Pick<Slip, 'amountFen' | 'feeFen' | 'feeType' | 'realFen'>;

function foundSlip(
  world: World,
  { amountFen, feeFen, feeType, realFen }: Money,
  {
    atMs,
    finalAtMs = atMs,
    ...said
  }: Omit<Slip, keyof Money | 'time'> & { atMs: number; finalAtMs?: number },
): FoundSlip {
  return {
    slip: { ...said, amountFen, feeFen, feeType, realFen, time: world.localTime.text(atMs) },
    finalAtMs,
  };
}

function withdrawalSlip(world: World, withdrawal: Withdrawal): FoundSlip {
  const { orderNo, outOrderNo, acctNo, card, life } = withdrawal;
  return foundSlip(world, withdrawal, {
    kind: 'withdrawal',
    orderNo,
    outOrderNo,
    batchNo: '',
    payer: registryPartyOf(world, acctNo),
    payee: bankParty(card.bankAccountName, card.bankAccountNo, card.instBranchCode),
    remark: turnAt(life, world.clock.nowMs())?.note ?? '',
    atMs: requireSuccess(world, life),
  });
}

function requireTransfer(world: World, merchant: string, number: OrderNumber): OrderInBatch {
  const found = world.orders.transferOrder(merchant, number);
  const nowMs = world.clock.nowMs();
  if (found && isThere(found.batch, nowMs) && isShown(found.order, nowMs)) return found;
  throw notFound();
}

/** A refund takes nothing from the slip of what it gives back, and has none of its own (U51). */
function transferSlip(world: World, { batch, order }: OrderInBatch): FoundSlip {
  const { orderNo, outOrderNo, body } = order;
  return foundSlip(world, order, {
    kind: 'transfer',
    orderNo,
    outOrderNo,
    batchNo: batch.batchNo,
    payer: registryPartyOf(world, batch.payerAcctNo),
    payee: registryPartyOf(world, order.payeeAcctNo),
    remark: body,
    atMs: requireSuccess(world, order.life),
  });
}

/** Of the try that was paid, automatic or asked for. */
function settlementSlip(world: World, { batch, order }: OrderInBatch): FoundSlip {
  const isPaid = ({ life }: Settlement): boolean => turnAt(life, world.clock.nowMs())?.state === 'SUCCESS';
  const settlement = order.settlements.findLast(isPaid);
  if (!settlement) throw order.settlements.length > 0 ? notSuccessful() : notFound();
  const { amountFen, life, bankAccountNo, remark } = settlement;
  const { bankAccountName = '', instBranchCode = '' } = world.accounts.get(order.payeeAcctNo)?.bindCard ?? {};
  return foundSlip(
    world,
    { ...settlement, realFen: realOf(amountFen, settlement) },
    {
      kind: 'settlement',
      orderNo: order.orderNo,
      outOrderNo: order.outOrderNo,
      batchNo: batch.batchNo,
      payer: registryPartyOf(world, order.payeeAcctNo),
      payee: bankParty(bankAccountName, bankAccountNo, instBranchCode),
      remark: remark === '' ? '自动结算' : remark,
      atMs: requireSuccess(world, life),
    },
  );
}

/** @returns when it succeeded. @throws Refused unless it has, and still has */
function requireSuccess(world: World, life: Life): number {
  const atMs = goneAtMs(life, orderMeaning);
  if (atMs !== undefined && turnAt(life, world.clock.nowMs())?.state === 'SUCCESS') return atMs;
  throw notSuccessful();
}

function registryPartyOf(world: World, accountNo: string): SlipParty {
  const account = world.accounts.get(accountNo);
  return account ? registryParty(account) : { name: '', accountNo, bank: BANK.branch };
}

function registryParty({ name, accountNo }: Account): SlipParty {
  return { name, accountNo, bank: BANK.branch };
}

function bankParty(name: string, accountNo: string, bank: string): SlipParty {
  return { name, accountNo: maskedBankAccount(accountNo), bank };
}

function notFound(): Refused {
  return new Refused('NOT_FOUND', '订单不存在 (no such order of this transType)');
}

function notSuccessful(): Refused {
  return new Refused('STATE', '订单未成功，无凭证 (only an order that succeeded has a voucher)');
}
