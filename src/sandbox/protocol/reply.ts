/** The response envelope: six string members, signed with the caller's own secret (ENV-17…19, SIG-10). */
import { CODE_SUCCESS } from '../../platform/contract.ts';
import { md5Sign, piecesToSign, rsa2Sign } from '../../platform/sign.ts';
import type { TextToSign } from '../../platform/sign.ts';
import type { Caller } from './sandbox-keys.ts';
import type { Refused } from './refusal.ts';
import type { WireObject } from './wire.ts';
import type { World } from '../world/world.ts';

/** Values are strings unless a fault says otherwise. */
export type ReplyEnvelope = Record<string, unknown>;

export function successEnvelope(world: World, caller: Caller, bizData: string): ReplyEnvelope {
  return signed(world, caller, { code: CODE_SUCCESS, msg: '成功', ...stamped(world), bizData });
}

/**
 * What a push carries: its members as they are, or an envelope of `bizData`, `timestamp`, `signType` and `sign`,
 * signed as an answer is (U40, U53).
 */
export function pushBody(world: World, caller: Caller, members: WireObject): string {
  const text = JSON.stringify(members);
  if (world.switches.pushFormat === 'flat') return text;
  return JSON.stringify(signed(world, caller, { ...stamped(world), bizData: text }));
}

/** Without bizData; signed as soon as it is known who asks, which a wrong signature does not show (SIG-15). */
export function refusalEnvelope(world: World, caller: Caller | undefined, refused: Refused): ReplyEnvelope {
  const envelope = { code: refused.code, msg: refused.message, ...stamped(world) };
  return caller ? signed(world, caller, envelope) : envelope;
}

function stamped(world: World): { timestamp: string } {
  return { timestamp: world.zone.compactText(world.clock.now()) };
}

function signed(world: World, caller: Caller, envelope: Record<string, string>): ReplyEnvelope {
  if (!world.switches.signAnswers) return envelope;
  const members: Record<string, string> = { ...envelope, signType: caller.signType };
  const { responseSignFields, md5Case } = world.switches;
  const excluded = world.profile.signing.exclude;
  const names = (responseSignFields === 'all' ? Object.keys(members) : responseSignFields).filter(
    (name) => !excluded.includes(name),
  );
  const text = piecesToSign(members, { names, dropEmpty: true });
  return { ...members, sign: signOf(world, caller, { text, md5Case }) };
}

function signOf(
  world: World,
  caller: Caller,
  what: { text: TextToSign; md5Case: 'upper' | 'lower' },
): string {
  if (caller.signType === 'MD5') {
    const { secret } = caller.credential;
    return md5Sign(what.text, { secret, secretName: caller.secretName, md5Case: what.md5Case });
  }
  const keys = world.rsa.keys();
  if (!keys) throw new Error('Bug: a request was verified with RSA keys the sandbox does not have');
  return rsa2Sign(what.text, keys.platformPrivateKey);
}
