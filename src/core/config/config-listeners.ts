/** Settings of what listens: health, the page and metrics, and pushes. */
import { readHost, readPort, readToken } from './config-checks.ts';
import type { AddFault, Read } from './config-checks.ts';
import { SETTINGS } from './setting-names.ts';

export interface Listening {
  /** Undefined: health and metrics are not shown. */
  healthPort: number | undefined;
  healthHost: string;
  /** Who has it may look at the page; undefined: who is on this machine, where nobody else reaches `healthHost`. */
  pageToken: string | undefined;
  /** Undefined: pushes are not received by the schedule. */
  pushPort: number | undefined;
  pushHost: string;
}

/** Health has a listener of its own, so that whoever reaches the other cannot shut it out. */
export function readListeners(read: Read, addFault: AddFault): Listening {
  const [healthPort, pushPort] = [read('HEALTH_PORT', readPort), read('PUSH_PORT', readPort)];
  if (healthPort !== undefined && healthPort !== 0 && healthPort === pushPort) {
    addFault(`HEALTH_PORT and PUSH_PORT are both ${healthPort}: pushes need a port of their own`);
  }
  return {
    healthPort,
    healthHost: read('HEALTH_HOST', readHost) ?? SETTINGS.HEALTH_HOST.usual,
    pageToken: read('PAGE_TOKEN', readToken),
    pushPort,
    pushHost: read('PUSH_HOST', readHost) ?? SETTINGS.PUSH_HOST.usual,
  };
}
