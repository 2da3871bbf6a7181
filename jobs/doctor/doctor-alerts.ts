/** Who would be told of a night, by the settings alone: nothing is sent (`recon alerts test` does that). */
import type { Settings } from '../../src/core/config/config.ts';
import { channelsSet } from '../alerts/raise.ts';
import type { Check } from './doctor-check.ts';

export function checkAlerts(settings: Settings): Check {
  const channels = channelsSet(settings);
  const name = 'alerts';
  if (channels.length === 0) {
    const detail = 'no ALERT_… channel is set: nobody is told of a night that fails';
    return { name, state: 'warn', detail };
  }
  const { lateAt } = settings.alerts;
  const detail = `by ${channels.join(', ')}; late after ${lateAt}; recon alerts test sends a message`;
  return { name, state: 'ok', detail };
}
