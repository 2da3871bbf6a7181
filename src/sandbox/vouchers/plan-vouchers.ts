/** Plans what answers with vouchers hold (CTL). */
import { checked } from '../seed-schema.ts';
import type { World } from '../world.ts';
import { voucherSchema } from './voucher-schema.ts';
import type { VoucherSeed } from './voucher-schema.ts';

/**
 * @returns the numbers under which they can be dropped
 * @throws WrongInput for a fault in any of them; then none is planned
 */
export function planVouchers(world: World, seeds: readonly VoucherSeed[]): number[] {
  const vouchers = seeds.map((seed, place) => checked(voucherSchema, seed, `voucher ${place + 1}`));
  return vouchers.map((voucher) => world.vouchers.add(voucher));
}
