/** A process that retries settlements, as `recon settle` or a night does: it looks at what is due, and runs the step. */
import { lookAtOrder } from '../../jobs/night/settle/settle-look.ts';
import type { SettlePorts, SettleRequest } from '../../jobs/night/settle/settle-ports.ts';
import { settleStep } from '../../jobs/night/settle/settle-step.ts';
import type { SettleOutcome } from '../../jobs/night/settle/settle-step.ts';
import { PAYER } from './world/bank.ts';
import type { Running } from './world/running.ts';
import { runProcess } from './process.ts';
import type { ProcessEnd, ProcessRequest } from './process.ts';

export interface SettleProcess extends ProcessRequest {
  mode: SettleRequest['mode'];
  only?: SettleRequest['only'];
  /** Asks for every batch first, as the night does. */
  collects: boolean;
}

export type SettleEnd = ProcessEnd<SettleOutcome>;

/** Runs one to its end; what a bug throws is thrown. */
export function runSettle(running: Running, request: SettleProcess): Promise<SettleEnd> {
  const { runId, mode, only, approve, collects } = request;
  return runProcess(running, request, async (ports) => {
    if (collects) await collect(running, ports);
    return await settleStep(ports, { runId, mode, only, ...(approve && { approve }) });
  });
}

/** One look at each batch, which is kept. */
async function collect({ plan }: Running, ports: SettlePorts): Promise<void> {
  const firstOf = new Map(plan.orders.map((order) => [order.outBatchNo, order.outOrderNo]));
  for (const [outBatchNo, outOrderNo] of firstOf) {
    await lookAtOrder(ports, { accountNo: PAYER, outOrderNo, orderNo: '', outBatchNo, batchNo: '' });
  }
}
