/** Times as the service writes them. */
import { Zone } from '../../src/core/time.ts';

export const zone = new Zone('Asia/Shanghai');

/** `at('2026-03-02 09:00:00')`: an instant of the service's time. */
export function at(local: string): string {
  const instant = zone.parseLocal(local);
  if (instant === undefined) throw new Error(`not a local time: ${local}`);
  return instant;
}
