/**
 * What is wrong with transfers and withdrawals in the demo, class by class, each in a batch or withdrawal of its
 * own so that it makes the finding that is planted with it and no other.
 */
import { plantOrderFacts } from './demo-order-facts.ts';
import { plantOrderLines } from './demo-order-lines.ts';
import { plantOrderTiming } from './demo-order-timing.ts';
import { plantWithdrawals } from './demo-withdrawal-plants.ts';
import type { DemoDraft } from './demo.ts';

export function plantOrderBreaks(draft: DemoDraft): void {
  plantOrderLines(draft);
  plantOrderFacts(draft);
  plantWithdrawals(draft);
  plantOrderTiming(draft);
}
