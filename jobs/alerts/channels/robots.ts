/** Robots of messengers: 企业微信 (by the key in its address), 钉钉 and 飞书 (signed). Each says in its answer whether it took it. */
import { createHmac } from 'node:crypto';
import { NotSent } from '../../../src/core/errors.ts';
import { member } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import { postJson, robotAnswer } from './post-json.ts';
import { cutToBytes } from './sending.ts';
import type { Sending } from './sending.ts';

/** What 企业微信 takes of a text. */
const WECOM_BYTES_MAX = 2_048;
/** Both take some 20 KB of a request in all. */
const TEXT_BYTES_MAX = 15_000;

export async function sendToWecom({ url }: { url: string }, { text, signal }: Sending): Promise<void> {
  const body = { msgtype: 'text', text: { content: cutToBytes(text, WECOM_BYTES_MAX) } };
  const answer = robotAnswer(await postJson({ url, body: JSON.stringify(body), signal }));
  requireTaken(answer, { code: 'errcode', says: 'errmsg' });
}

/** The signature is of the time in milliseconds and stands in the address. */
export async function sendToDingtalk(
  { url, secret }: { url: string; secret: string },
  { text, nowMs, signal }: Sending,
): Promise<void> {
  const timestamp = String(nowMs);
  const signed = new URL(url);
  const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
  signed.searchParams.set('timestamp', timestamp);
  signed.searchParams.set('sign', sign);
  const body = { msgtype: 'text', text: { content: cutToBytes(text, TEXT_BYTES_MAX) } };
  const answer = robotAnswer(await postJson({ url: signed.href, body: JSON.stringify(body), signal }));
  requireTaken(answer, { code: 'errcode', says: 'errmsg' });
}

/** Time and secret are the key, of nothing; the time in seconds and the signature stand in the body. */
export async function sendToFeishu(
  { url, secret }: { url: string; secret: string },
  { text, nowMs, signal }: Sending,
): Promise<void> {
  const timestamp = String(Math.floor(nowMs / SECOND_MS));
  const sign = createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
  const content = { text: cutToBytes(text, TEXT_BYTES_MAX) };
  const body = { timestamp, sign, msg_type: 'text', content };
  const answer = robotAnswer(await postJson({ url, body: JSON.stringify(body), signal }));
  const isOlder = member(answer, 'code') === undefined;
  requireTaken(
    answer,
    isOlder ? { code: 'StatusCode', says: 'StatusMessage' } : { code: 'code', says: 'msg' },
  );
}

/** @throws NotSent with what the robot says, shortened: it is not ours */
function requireTaken(answer: JsonObject, names: { code: string; says: string }): void {
  const code = member(answer, names.code);
  if (code === 0) return;
  const says = member(answer, names.says);
  const text = typeof says === 'string' ? says.slice(0, 200) : '';
  throw new NotSent(`the robot took no message: ${names.code} ${String(code).slice(0, 20)} ${text}`.trim());
}
