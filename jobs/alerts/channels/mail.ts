/** Mail by SMTP: over verified TLS but on this machine; the workbook goes along where somebody wants it and it is small enough. */
import { readFile, stat } from 'node:fs/promises';
import type { MailSettings } from '../../../src/core/config/config-alerts.ts';
import { NotSent, codeOf, messageOf } from '../../../src/core/errors.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import type { Sending } from './sending.ts';

/** Most servers take ten, and a message grows by a third on its way. */
export const ATTACHMENT_BYTES_MAX = 7_000_000;
/** One step of the talk; all of it. */
const STEP_MS_MAX = 10 * SECOND_MS;
const MAIL_MS_MAX = 30 * SECOND_MS;

/** @throws NotSent where the server did not take it */
export async function sendByMail(mail: MailSettings, sending: Sending): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const { host, port, isTls, isThisMachine, user, password } = mail;
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && !isThisMachine,
    ignoreTLS: !isTls && isThisMachine,
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    connectionTimeout: STEP_MS_MAX,
    greetingTimeout: STEP_MS_MAX,
    socketTimeout: STEP_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await endedInTime(
      transport.sendMail(await messageFor(mail, sending)),
      sending.signal,
    );
    if (rejected.length > 0) throw new NotSent(`the mail server refused ${rejected.length} of the addresses`);
  } catch (error) {
    if (error instanceof NotSent) throw error;
    const code = codeOf(error);
    const what = `the mail could not be sent${code === undefined ? '' : ` (${code})`}: ${messageOf(error)}`;
    throw new NotSent(what, {}, { cause: error });
  } finally {
    transport.close();
  }
}

async function messageFor({ from, to }: MailSettings, { document, text, attachment }: Sending) {
  const content = attachment && (await contentOf(attachment.path));
  const file = attachment && content ? [{ filename: attachment.name, content }] : [];
  return {
    from,
    to: [...to],
    subject: document.title,
    text,
    attachments: file,
    messageId: `<${document.id}.recon@${from.split('@').at(-1) ?? ''}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Recon-Alert': document.id },
  };
}

/**
 * Undefined where the workbook cannot go along: it lies on another machine, was put elsewhere or has grown since. The
 * words, which name it, go all the same.
 */
async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return (await stat(file)).size > ATTACHMENT_BYTES_MAX ? undefined : await readFile(file);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** A server that says a byte now and then is given up all the same; closing the transport ends the talk. */
function endedInTime<T>(sent: Promise<T>, signal: AbortSignal): Promise<T> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAIL_MS_MAX)]);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new NotSent(`the mail server took longer than ${MAIL_MS_MAX} ms`));
    if (limit.aborted) giveUp();
    limit.addEventListener('abort', giveUp, { once: true });
    sent.then(resolve, reject);
  });
}
