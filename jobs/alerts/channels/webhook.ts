/**
 * A receiver of one's own: the document as JSON, signed. The signature covers the time and the body, so that neither can
 * be changed and an old one is known to be old.
 */
import { createHmac } from 'node:crypto';
import { jsonText } from '../../../src/core/json.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import { postJson } from './post-json.ts';
import type { Sending } from './sending.ts';

export async function sendToWebhook(
  { url, secret }: { url: string; secret: string },
  { document, nowMs, signal }: Sending,
): Promise<void> {
  const body = jsonText(document);
  const timestamp = String(Math.floor(nowMs / SECOND_MS));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'x-recon-alert': document.id,
    'x-recon-timestamp': timestamp,
    'x-recon-signature': `sha256=${signature}`,
  };
  await postJson({ url, body, headers, signal });
}
