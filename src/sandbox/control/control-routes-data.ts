/** The paths of the control surface for accounts, deposits and movements outside the interface. */
import { z } from 'zod';

import { instantOf } from '../../core/time.ts';
import { list, nothing, route } from './control-route.ts';
import type { ControlRoute } from './control-route.ts';
import { accountSchema, depositSchema, movementSchema } from '../world/seed-schema.ts';
import type { AccountSeed, DepositSeed, MovementSeed } from '../world/seed-schema.ts';
import { isOpen, replacementAt, stateAt } from '../world/account.ts';
import type { World } from '../world/world.ts';

export const DATA_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/accounts',
    takes: '',
    does: 'every account with state, balance and frozen amount now, and the effects on its balance so far',
    schema: nothing,
    run: ({ world }) => ({
      accounts: [...world.accounts.values()]
        .filter((account) => isOpen(account, world.clock.nowMs()))
        .map(({ accountNo }) => accountNow(world, accountNo)),
    }),
  }),
  route({
    method: 'POST',
    path: '/accounts',
    takes:
      '`accounts`: `accountNo`, `eleAcctNo`, `name`, `role`, `merchant`, `subjectId`, `autoSettle`, `state`, `balanceFen`, `frozenFen`, `bindCard`, `whiteCards`, `settleCards`, `openReqNo`, `remark`, `paymentPassword`, `passwordFree`, `drift` (`fen`, `queries`)',
    does: 'opens accounts',
    schema: z.strictObject({ accounts: list }),
    items: { accounts: accountSchema },
    run: ({ sandbox }, { accounts }) => sandbox.seedAccounts(accounts as AccountSeed[]),
  }),
  route({
    method: 'POST',
    path: '/deposits',
    takes:
      '`deposits`: `payeeAcctNo`, `amountFen`, `depositTime`, `orderNo`, `feeFen`, `feeType`, `realFen`, `payerAcctNo`, `payerName`, `payerBankNo`, `payeeBankNo`, `remark`, `errCode`, `bookedAt`, `visibleFrom`, `vanishesAt`, `listed` and `changes` (`at`; `set`, `raw`, `remove`), `creditedFen`, `failed`',
    does: 'books deposits; answers their `orderNos`',
    schema: z.strictObject({ deposits: list }),
    items: { deposits: depositSchema },
    run: ({ sandbox }, { deposits }) => ({ orderNos: sandbox.seedDeposits(deposits as DepositSeed[]) }),
  }),
  route({
    method: 'POST',
    path: '/arrivals',
    takes: '`afterPages`, `deposit`',
    does: 'books a deposit once so many more pages of its account have been answered',
    schema: z.strictObject({ afterPages: z.int().min(1), deposit: z.unknown() }),
    items: { deposit: depositSchema },
    run: ({ sandbox }, { afterPages, deposit }) =>
      sandbox.seedArrival({ afterPages, deposit: deposit as DepositSeed }),
  }),
  route({
    method: 'POST',
    path: '/movements',
    takes:
      '`movements`: `kind` (`interest`, `hidden_fee`, `adjustment`, `freeze`, `unfreeze`, `replacement`, `state`), `accountNo`, `amountFen`, `toAccountNo`, `state`, `at`',
    does: 'moves money outside the interface',
    schema: z.strictObject({ movements: list }),
    items: { movements: movementSchema },
    run: ({ sandbox }, { movements }) => sandbox.seedMovements(movements as MovementSeed[]),
  }),
];

function accountNow(world: World, accountNo: string): unknown {
  const account = world.accounts.get(accountNo);
  if (!account) throw new Error(`Bug: account ${accountNo} is gone`);
  const nowMs = world.clock.nowMs();
  const { eleAcctNo, merchant, name, role } = account;
  return {
    accountNo,
    eleAcctNo,
    merchant,
    name,
    role,
    replacedBy: replacementAt(account, nowMs),
    state: stateAt(account, nowMs),
    balanceFen: account.balance.atMs(nowMs),
    frozenFen: account.frozen.atMs(nowMs),
    effects: account.balance
      .effects()
      .filter((effect) => effect.atMs <= nowMs)
      .slice(-EFFECTS_SHOWN_MAX)
      .map(({ atMs, deltaFen, kind, reference }) => ({ at: instantOf(atMs), deltaFen, kind, reference })),
  };
}

/** The newest effects of an account; more would be unreadable. */
const EFFECTS_SHOWN_MAX = 1_000;
