/** The paths of the control surface for vouchers. */
import { z } from 'zod';

import { list, nothing, route } from './control-route.ts';
import type { ControlRoute } from './control-route.ts';
import type { VoucherSeed } from '../vouchers/voucher-schema.ts';

export const VOUCHER_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/vouchers',
    takes: '',
    does: 'the vouchers that are planned to be otherwise, with their numbers and how many answers each still decides',
    schema: nothing,
    run: ({ world }) => ({ vouchers: world.vouchers.list() }),
  }),
  route({
    method: 'POST',
    path: '/vouchers',
    takes:
      '`vouchers`: for `number` (of the order, by default any) and `transType`, `times` (null: always), `notReady` (so many asks), `delayMs`, `files`, `pages`, `as` (a kind, below), `fileNo`, `of`, `bytes`',
    does: 'plans what the answers of `get/transFiles` hold; answers the numbers of the plans',
    schema: z.strictObject({ vouchers: list }),
    run: ({ sandbox }, { vouchers }) => ({ nos: sandbox.planVouchers(vouchers as VoucherSeed[]) }),
  }),
  route({
    method: 'POST',
    path: '/vouchers/drop',
    takes: '`no`, or nothing for all',
    does: 'drops planned vouchers',
    schema: z.strictObject({ no: z.int().optional() }),
    run: ({ world }, { no }) => world.vouchers.drop(no),
  }),
];
