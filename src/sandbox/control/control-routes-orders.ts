/** The paths of the control surface for transfers, withdrawals and their outcomes. */
import { z } from 'zod';

import { instantOf } from '../../core/time.ts';
import { list, nothing, planRoutes, route } from './control-route.ts';
import type { ControlRoute } from './control-route.ts';
import type { Life } from '../orders/life.ts';
import type { TransferBatch, Withdrawal } from '../orders/order.ts';
import { outcomeSchema, transferSeedSchema, withdrawalSeedSchema } from '../orders/order-schema.ts';
import type { OutcomeSeed, TransferSeed, WithdrawalSeed } from '../orders/order-schema.ts';
import { settleNoOf } from '../orders/settlement.ts';
import type { Payout } from '../orders/settlement.ts';

const COURSE =
  '`state`, `delayMs`, `states` (`afterMs`, `state`, `note`), `feeFen`, `feeType`, `returnAfterMs`';
const SHOWN = '`visibleFrom`, `vanishesAt`, `listed`, `changes` as for deposits';
const SETTLE =
  '`settle` (null, or the same with `remark`, `returnRemark`, and `retries`: a list of the same for the retries, one after the other)';

/** The newest of each kind; more would be unreadable. */
const SHOWN_MAX = 1_000;

export const ORDER_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/transfers',
    takes: '',
    does: 'the newest 1,000 transfer batches as they truly are now, with lives, settlements (the automatic one and every retry) and refunds of their orders',
    schema: nothing,
    run: ({ world }) => ({ transfers: [...world.orders.batches()].slice(-SHOWN_MAX).map(shownBatch) }),
  }),
  route({
    method: 'POST',
    path: '/transfers',
    takes: `\`transfers\`: \`outBatchNo\`, \`payerAcctNo\`, \`submittedAt\`, \`batchNo\`, \`extParam\`, \`note\`, \`notifyUrl\`; \`orders\`: \`outOrderNo\`, \`payeeAcctNo\`, \`amountFen\`, \`orderNo\`, \`body\`, \`extParam\`, \`finalAt\` or ${COURSE}, \`note\`, \`returnNote\`, ${SETTLE}; \`refunds\`: \`outOrderNo\`, \`at\`, \`amountFen\`, \`state\`, \`delayMs\`, \`returnAfterMs\`; batch and orders: ${SHOWN}`,
    does: 'seeds transfer batches, past or to come, without calls; all or none',
    schema: z.strictObject({ transfers: list }),
    items: { transfers: transferSeedSchema },
    run: ({ sandbox }, { transfers }) => sandbox.seedTransfers(transfers as TransferSeed[]),
  }),
  route({
    method: 'POST',
    path: '/withdrawals',
    takes: `\`withdrawals\`: \`outOrderNo\`, \`acctNo\`, \`amountFen\`, \`submittedAt\`, \`orderNo\`, \`recvAcctNo\`, \`finalAt\` or ${COURSE}, \`note\`, \`returnNote\`; ${SHOWN}`,
    does: 'seeds withdrawals, past or to come, without calls; all or none',
    schema: z.strictObject({ withdrawals: list }),
    items: { withdrawals: withdrawalSeedSchema },
    run: ({ sandbox }, { withdrawals }) => sandbox.seedWithdrawals(withdrawals as WithdrawalSeed[]),
  }),
  route({
    method: 'GET',
    path: '/withdrawals',
    takes: '',
    does: 'the newest 1,000 withdrawals as they truly are, with life, bank account and kind of payment',
    schema: nothing,
    run: ({ world }) => ({
      withdrawals: [...world.orders.withdrawals()].slice(-SHOWN_MAX).map(shownWithdrawal),
    }),
  }),
  route({
    method: 'GET',
    path: '/payouts',
    takes: '',
    does: 'every payout of a settlement to a bank, past and to come, with `at`, `amountFen`, `returnedAt` and the `reqId` it answers (empty: the automatic one)',
    schema: nothing,
    run: ({ sandbox }) => ({ payouts: sandbox.payouts().map(shownPayout) }),
  }),
  ...planRoutes({
    name: 'outcomes',
    listed: ', with their numbers and how many orders each still decides',
    takes: `\`kind\` (\`transfer\`, \`batch\`, \`withdrawal\`, \`refund\`), \`times\` (null: always), for \`outOrderNo\`, \`outBatchNo\`, \`payeeAcctNo\` or \`acctNo\`, and as the seeds have it ${COURSE}, ${SETTLE}, ${SHOWN}`,
    does: 'plans what the next calls make',
    seed: outcomeSchema,
    plansOf: (world) => world.outcomes,
    plan: (sandbox, seeds) => sandbox.planOutcomes(seeds as OutcomeSeed[]),
  }),
  route({
    method: 'GET',
    path: '/sms',
    takes: '',
    does: 'the SMS codes that were sent, with flow number, scene, account and whether they are used',
    schema: nothing,
    run: ({ sandbox }) => ({
      codes: sandbox.smsCodes().map(({ sentAtMs, ...code }) => ({ ...code, sentAt: instantOf(sentAtMs) })),
    }),
  }),
  route({
    method: 'GET',
    path: '/pushes',
    takes: '',
    does: 'every push with its event, its tries (body, status, answer) and whether it was acknowledged',
    schema: nothing,
    run: ({ sandbox }) => ({ pushes: sandbox.pushes() }),
  }),
  route({
    method: 'POST',
    path: '/pushes/repeat',
    takes: '`no`',
    does: 'tries a push once more, acknowledged or not',
    schema: z.strictObject({ no: z.int() }),
    run: ({ sandbox }, { no }) => sandbox.repeatPush(no),
  }),
];

function shownBatch({ submittedAtMs, notify, orders, ...batch }: TransferBatch): unknown {
  return {
    ...batch,
    showing: undefined,
    submittedAt: instantOf(submittedAtMs),
    notifyUrl: notify?.url,
    orders: orders.map(({ life, settlements, refunds, ...order }) => ({
      ...order,
      showing: undefined,
      retries: undefined,
      life: shownLife(life),
      settleNo: settlements.length > 0 ? settleNoOf(order) : undefined,
      settlements: settlements.map((settlement) => ({ ...settlement, life: shownLife(settlement.life) })),
      refunds: refunds.map((refund) => ({ ...refund, life: shownLife(refund.life) })),
    })),
  };
}

/** A personal card is paid to a person, a corporate one to a company (WDR-08). */
function shownWithdrawal({ submittedAtMs, card, life, ...withdrawal }: Withdrawal): unknown {
  return {
    ...withdrawal,
    showing: undefined,
    submittedAt: instantOf(submittedAtMs),
    bankAccountNo: card.bankAccountNo,
    payment: card.accountType === 'E' ? 'corporate' : 'personal',
    life: shownLife(life),
  };
}

function shownPayout({ outOrderNo, atMs, amountFen, returnedAtMs, reqId }: Payout): unknown {
  const returnedAt = returnedAtMs === undefined ? undefined : instantOf(returnedAtMs);
  return { outOrderNo, at: instantOf(atMs), amountFen, returnedAt, reqId };
}

function shownLife(life: Life): unknown {
  return life.map(({ atMs, ...turn }) => ({ at: instantOf(atMs), ...turn }));
}
