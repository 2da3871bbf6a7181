/** The few profiles a simulation needs, each read and checked once, because a hundred thousand seeds share them. */
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { Zone } from '../../../src/core/time.ts';

export interface Rules {
  marginSeconds: number;
  /** So long queries may lag behind, as the profile has it. */
  viewLagSeconds: number;
  coolDownMinutes: number;
  /** How much one run may send. */
  caps: 'usual' | 'one' | 'small';
  /** Above how many orders an approval is needed: 50, or one. */
  breaker: 'usual' | 'one';
  /** Whether the signature of answers covers their time. */
  timestampSigned: boolean;
  /** Whether an unsigned answer is an answer at all; a settlement is never retried on one. */
  unsignedAllowed: boolean;
}

/** Fields that are signed where the time is not. */
export const FIELDS_WITHOUT_TIME = ['code', 'msg', 'bizData', 'signType'];

const read = new Map<string, Profile>();

export function profileOf(rules: Rules): Profile {
  const text = JSON.stringify({
    signing: {
      requireResponseSign: rules.unsignedAllowed ? 'never' : 'auto',
      response: { fields: rules.timestampSigned ? 'all' : FIELDS_WITHOUT_TIME },
    },
    settle: {
      marginSeconds: rules.marginSeconds,
      viewLagSeconds: rules.viewLagSeconds,
      coolDownMinutes: rules.coolDownMinutes,
      ...(rules.caps === 'one' ? { maxPerRun: 1 } : {}),
      ...(rules.caps === 'small' ? { maxFenPerRun: 100_000 } : {}),
      ...(rules.breaker === 'one' ? { breaker: { orders: 1 } } : {}),
    },
  });
  const known = read.get(text) ?? readProfile(text, 'simulation');
  read.set(text, known);
  return known;
}

/** Shared, because its calendar is costly to make. */
export const ZONE = new Zone('Asia/Shanghai');
