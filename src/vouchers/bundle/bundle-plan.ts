/** What a bundle will hold, before anything is merged: plain data, so that it can be handed to the merging process. */
import { createHash } from 'node:crypto';

import { jsonText } from '../../core/json.ts';
import type { VoucherKind } from '../../store/schema/schema-vouchers.ts';
import type { BundleLocale, FileStatus } from './bundle-words.ts';

/** One file of an order, or the place of one that is not there. */
export interface PlannedSlot {
  /** 0: the order has no file. */
  fileNo: number;
  /** Of the original; empty where there is none. */
  sha256: string;
  /** `merged` until the merge says otherwise. */
  status: FileStatus;
  /** Why it is not merged. */
  remark: string;
  /** The merge found it out: nobody knew it before. */
  isJudged?: boolean;
}

/** One order with its texts as they are printed. */
export interface PlannedOrder {
  /** Runs through all parts, from 1. */
  no: number;
  kind: VoucherKind;
  /** Service time, to the second. */
  time: string;
  orderNo: string;
  outOrderNo: string;
  orderAccountNo: string;
  counterparty: string;
  /** Of an account of the company's; empty for anybody else. */
  counterpartyName: string;
  /** With thousands separators; empty where unknown. */
  amount: string;
  slots: PlannedSlot[];
}

export interface KindTotal {
  kind: VoucherKind | 'total';
  orders: number;
  files: number;
  merged: number;
  standIns: number;
  missing: number;
  amount: string;
}

export interface PartPlan {
  locale: BundleLocale;
  company: string;
  accountNo: string;
  accountName: string;
  month: string;
  /** As it is printed, in service time; and as the format wants it. */
  madeAt: string;
  creationDate: string;
  version: number;
  part: number;
  /**
   * Of the last part of a bundle. Only that one speaks of the whole bundle: totals and the digest of the list of
   * originals; all others speak of themselves, so that they stay as they are when the bundle grows.
   */
  isLast: boolean;
  originalsSha256: string;
  totals: readonly KindTotal[];
  orders: readonly PlannedOrder[];
}

/** Where a slot's pages begin in its part, from 1, and how many they are. */
export interface SlotPlace {
  page: number;
  pages: number;
}

/** Of everything that a part shows, but when and as which version it was made. */
export function planDigest(plan: PartPlan): string {
  const orders = plan.orders.map((order) => ({
    ...order,
    slots: order.slots.map(({ fileNo, sha256, status, remark }) => [fileNo, sha256, status, remark]),
  }));
  const shown = { ...plan, orders, version: 0, madeAt: '', creationDate: '' };
  return createHash('sha256').update(jsonText(shown)).digest('hex');
}
