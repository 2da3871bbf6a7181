/** The elements of `fileList`: honest slips, or what was planned in their place. */
import type { OrderNumber } from '../orders/order-index.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';
import { findSlip } from './find-slip.ts';
import { hostileFile } from './hostile-file.ts';
import type { Printing } from './voucher-renderer.ts';
import type { Slip, TransType } from './slip.ts';
import type { PlannedVoucher } from './voucher-schema.ts';

interface Asked {
  merchant: string;
  transType: TransType;
  slip: Slip;
  planned: PlannedVoucher | undefined;
}

/** A list of `{file}` (VCH-06), or null where that was planned. */
export function voucherElements(world: World, asked: Asked): WireObject[] | null {
  const { planned } = asked;
  if (planned?.as === 'null_list') return null;
  const count = planned?.as === 'empty_list' ? 0 : (planned?.files ?? world.switches.voucherFiles);
  return Array.from({ length: count }, (_, place) => elementOf(world, asked, { no: place + 1, of: count }));
}

/** Makes the list a JSON text if the switch wants it, once nothing in it changes any more. */
export function sealFileList(world: World, answer: WireObject): void {
  const list = answer['fileList'];
  if (Array.isArray(list) && world.switches.fileListAs === 'string') {
    answer['fileList'] = JSON.stringify(list);
  }
}

function elementOf(world: World, asked: Asked, copy: Printing['copy']): WireObject {
  const { planned, slip } = asked;
  const isOdd = planned !== undefined && (planned.fileNo ?? copy.no) === copy.no;
  const kind = isOdd ? planned.as : 'slip';
  if (kind === 'no_file') return {};
  if (kind === 'file_number') return { file: 12_345 };
  const shown = kind === 'wrong_order' ? otherSlip(world, asked, planned?.of) : slip;
  const how = { copy, pages: planned?.pages ?? pagesOf(world, shown) };
  const bytes = hostileFile({ kind, slip: shown, how, bytes: planned?.bytes });
  return { file: encoded(bytes, kind) };
}

function pagesOf(world: World, { feeFen }: Slip): number {
  const { voucherDetails } = world.switches;
  return voucherDetails === 'all' || (voucherDetails === 'fees' && feeFen > 0n) ? 2 : 1;
}

/** Its true slip where there is such an order, of whatever type, else one that looks like it might be. */
function otherSlip(world: World, { merchant, slip }: Asked, number: string | undefined): Slip {
  if (number !== undefined) {
    for (const transType of ['1', '2', '3'] as const) {
      for (const asked of [{ platform: number }, { own: number }] satisfies OrderNumber[]) {
        const found = foundOrUndefined(() => findSlip(world, merchant, { transType, number: asked }).slip);
        if (found) return found;
      }
    }
  }
  const outOrderNo = slip.outOrderNo === '' ? '' : (number ?? `${slip.outOrderNo}X`);
  return { ...slip, orderNo: number ?? `${slip.orderNo}X`, outOrderNo };
}

function foundOrUndefined(find: () => Slip): Slip | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** A line of Base64 as MIME wants it. */
const LINE = /.{1,76}/g;

function encoded(bytes: Buffer, kind: PlannedVoucher['as']): string {
  const text = bytes.toString('base64');
  if (kind === 'data_uri') return `data:application/pdf;base64,${text}`;
  if (kind === 'line_breaks') return (text.match(LINE) ?? []).join('\r\n');
  if (kind === 'url_safe') return bytes.toString('base64url');
  return kind === 'bad_base64' ? `${text.slice(0, 40)}!!*${text.slice(40)}====` : text;
}
