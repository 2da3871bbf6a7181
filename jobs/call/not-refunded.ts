/** `recon settle --not-refunded REQUEST --payer ACCOUNT --order NUMBER`: a person's word that it took no refund of that. */
import { WrongInput } from '../../src/core/errors.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { Denial } from '../../src/settlements/call-store.ts';
import { readName } from '../cli/approve-option.ts';
import type { ApproveOptions } from '../cli/approve-option.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { denyRefund } from '../night/settle/settle-calls.ts';
import { portsOf, SETTLE_LEASE } from '../night/settle/settle-run.ts';

export interface NotRefundedOptions extends CommonOptions, ApproveOptions {
  dryRun?: boolean;
  notRefunded?: string;
  order?: string;
  payer?: string;
}

export function notRefundedCommand(options: NotRefundedOptions): Promise<void> {
  const needs: CommandNeeds<Said> = { platform: true, arguments: () => parseDenial(options) };
  return withContext(options, needs, notRefunded);
}

type Said = Omit<Denial, 'at'>;

/**
 * Nothing is sent; the next retry judges the order by what queries show, after the wait of any call by hand.
 * @throws WrongInput when no such refund is waited for, and as long as it may still arrive or be shown; Stopped when the
 *   platform does not tell the time
 */
export async function notRefunded(context: Context, denial: Said): Promise<Outcome> {
  const { reqId, accountNo, outOrderNo, by } = denial;
  const of = { runId: reqId, day: context.zone.dayOf(context.clock.wall()) };
  const denied = await underLease(context, SETTLE_LEASE, async (held, lease) =>
    denyRefund(await portsOf(held, lease, of), denial),
  );
  if (denied === 'unknown') {
    throw new WrongInput(
      `no refund by hand of ${outOrderNo} of ${accountNo} by the request ${reqId} is waited for: recon settle --dry-run names those that are`,
    );
  }
  if (denied !== 'noted') {
    throw new WrongInput(
      `the request ${reqId} may still be on its way, or not be shown yet, so nobody can know that it was not taken: ask ` +
        `the platform once more after ${context.zone.localText(denied.notBefore)}, and say so then`,
    );
  }
  context.log.warn({ event: 'settle.refund_denied', reqId, accountNo, outOrderNo, by });
  return {
    status: 0,
    document: { schema: 1, reqId, accountNo, reference: outOrderNo, deniedBy: by },
    text: `noted: the platform took no refund of ${outOrderNo} of ${accountNo} by ${reqId}, as ${by} says. It is retried by what queries show from now on`,
  };
}

/** @throws WrongInput when no request, payer or order is named, or something else is asked for beside it */
function parseDenial({
  notRefunded = '',
  payer = '',
  order = '',
  by,
  approve,
  dryRun,
}: NotRefundedOptions): Said {
  const { name, faults } = readName(by);
  const [reqId, accountNo, outOrderNo] = [notRefunded.trim(), payer.trim(), order.trim()];
  if (reqId === '')
    faults.push('--not-refunded takes the request of a refund, as recon settle --dry-run names it');
  if (accountNo === '')
    faults.push('--payer takes the payer of that order, as recon settle --dry-run names it');
  if (outOrderNo === '')
    faults.push('--order takes the order that was not refunded, as recon settle --dry-run names it');
  if (approve !== undefined || dryRun === true)
    faults.push('--not-refunded goes with neither --approve nor --dry-run');
  if (faults.length > 0) throw new WrongInput('wrong arguments:', faults);
  return { reqId, accountNo, outOrderNo, by: maskPersonal(name) };
}
