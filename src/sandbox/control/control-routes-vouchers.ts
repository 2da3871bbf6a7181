/** The paths of the control surface for vouchers. */
import { planRoutes } from './control-route.ts';
import { voucherSchema } from '../vouchers/voucher-schema.ts';
import type { VoucherSeed } from '../vouchers/voucher-schema.ts';

export const VOUCHER_ROUTES = planRoutes({
  name: 'vouchers',
  listed: ' to be otherwise, with their numbers and how many answers each still decides',
  takes:
    'for `number` (of the order, by default any) and `transType`, `times` (null: always), `notReady` (so many asks), `delayMs`, `files`, `pages`, `as` (a kind, below), `fileNo`, `of`, `bytes`',
  does: 'plans what the answers of `get/transFiles` hold',
  seed: voucherSchema,
  plansOf: (world) => world.vouchers,
  plan: (sandbox, seeds) => sandbox.planVouchers(seeds as VoucherSeed[]),
});
