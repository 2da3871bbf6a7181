/** By which of its two numbers an order is asked for (ENV-27, U27). */
import type { JsonObject } from '../../core/json.ts';
import { optionalText } from '../protocol/params.ts';
import { Refused } from '../protocol/refusal.ts';
import type { World } from '../world/world.ts';
import type { OrderNumber } from './order-index.ts';

/** @throws Refused when neither is sent, and when both are and the switch does not say which prevails */
export function numberAsked(
  world: World,
  biz: JsonObject,
  names: { own: string; platform: string },
): OrderNumber {
  const own = optionalText(biz, names.own, world.switches) ?? '';
  const platform = optionalText(biz, names.platform, world.switches) ?? '';
  if (own === '' && platform === '') {
    throw new Refused('PARAMETER', `参数错误 (parameter ${names.own} or ${names.platform} is required)`);
  }
  const { bothIds } = world.switches;
  if (own !== '' && platform !== '' && bothIds === 'refuse') {
    throw new Refused('PARAMETER', `参数错误 (send exactly one of ${names.own} and ${names.platform})`);
  }
  return platform === '' || (own !== '' && bothIds === 'own') ? { own } : { platform };
}
