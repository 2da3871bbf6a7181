/** Where smsCode, smsFlowNo, recvAcctNo and recvAcctName of a withdrawal stand (WDR-04, U48). */
import { isJsonObject, jsonText, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Completed, CompleteRules } from './completing.ts';
import { parsedJson } from './json-text.ts';

const PLACED = ['smsCode', 'smsFlowNo', 'recvAcctNo', 'recvAcctName'];

/**
 * The four go where `withdraw.placement` says, out of bizData or out of a channelExtra that is given as an object;
 * a channelExtra that is given as text is the caller's own, and only added to where it must be.
 */
export function placeWithdrawal(request: JsonObject, { profile }: CompleteRules): Completed {
  return profile.withdraw.placement === 'bizData' ? intoBizData(request) : intoChannelExtra(request);
}

function intoBizData(request: JsonObject): Completed {
  const { channelExtra, ...rest } = request;
  if (!isJsonObject(channelExtra)) return { request, said: [] };
  const [moved, kept] = parted(channelExtra, (name) => member(rest, name) === undefined);
  const isEmpty = Object.keys(kept).length === 0;
  return {
    request: { ...rest, ...moved, ...(!isEmpty && { channelExtra: jsonText(kept) }) },
    said: [...saidOf(moved, 'in bizData'), ...(isEmpty ? [] : ['channelExtra as JSON text'])],
  };
}

function intoChannelExtra(request: JsonObject): Completed {
  const { channelExtra, ...rest } = request;
  const extra = typeof channelExtra === 'string' ? parsedJson(channelExtra) : (channelExtra ?? {});
  if (!isJsonObject(extra)) return { request, said: [] };
  const [moved, kept] = parted(rest, (name) => member(extra, name) === undefined);
  const isNothing = Object.keys(moved).length === 0 && !isJsonObject(channelExtra);
  if (isNothing) return { request, said: [] };
  return {
    request: { ...kept, channelExtra: jsonText({ ...extra, ...moved }) },
    said: [...saidOf(moved, 'in channelExtra'), 'channelExtra as JSON text'],
  };
}

/** The members that are to be placed elsewhere, and all others. */
function parted(object: JsonObject, mayMove: (name: string) => boolean): [JsonObject, JsonObject] {
  const moves = ([name]: [string, unknown]): boolean => PLACED.includes(name) && mayMove(name);
  const members = Object.entries(object);
  return [
    Object.fromEntries(members.filter(moves)),
    Object.fromEntries(members.filter((entry) => !moves(entry))),
  ];
}

function saidOf(moved: JsonObject, where: string): string[] {
  const names = Object.keys(moved);
  return names.length === 0 ? [] : [`${names.join(', ')} ${where}`];
}
