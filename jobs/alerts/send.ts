/**
 * What is due is sent: all ways at once, each one message after the other. A way that fails waits with all that it has;
 * pauses grow, and what nobody took in the end is given up where people see it.
 */
import path from 'node:path';
import { LockHeld, NotSent, messageOf } from '../../src/core/errors.ts';
import { ALERT_CHANNELS } from '../../src/core/config/config-alerts.ts';
import type { AlertChannel, AlertChannels } from '../../src/core/config/config-alerts.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import { MINUTE_MS, addMs, epochMs } from '../../src/core/time.ts';
import { listDue, saveTry } from '../../src/store/alerts/alerts.ts';
import type { DueDelivery } from '../../src/store/alerts/alerts.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { alertText } from './alert-document.ts';
import type { AlertDocument } from './alert-document.ts';
import { ATTACHMENT_BYTES_MAX, sendByMail } from './channels/mail.ts';
import { runCommand } from './channels/own-command.ts';
import { sendToDingtalk, sendToFeishu, sendToWecom } from './channels/robots.ts';
import type { Sending } from './channels/sending.ts';
import { sendToWebhook } from './channels/webhook.ts';
import { storedDocument } from './raise.ts';
import { wordsOfAlerts } from './words/words-of-alerts.ts';

/** Two that send at once would tell everything twice. */
export const ALERT_LEASE = 'alerts';

/** After each failed try; a receiver that is away for a night is told in the morning. */
const PAUSES_MINUTES = [1, 2, 5, 10, 20, 40, 60, 120, 240, 240, 240] as const;
/** More of a round waits for the next one; so does what is left when receivers that take their time have had so much. */
const ROUND_MAX = 100;
const ROUND_MS_MAX = MINUTE_MS;

type Send = (sending: Sending) => Promise<void>;

/** A record, so that a way that is missing here does not compile. Undefined: nothing is set of it. */
function sendersOf(channels: AlertChannels): Record<AlertChannel, Send | undefined> {
  const { webhook, wecom, dingtalk, feishu, mail, command } = channels;
  return {
    webhook: bound(webhook, sendToWebhook),
    wecom: bound(wecom, sendToWecom),
    dingtalk: bound(dingtalk, sendToDingtalk),
    feishu: bound(feishu, sendToFeishu),
    mail: bound(mail, sendByMail),
    command: bound(command, runCommand),
  };
}

function bound<T>(
  settings: T | undefined,
  send: (settings: T, sending: Sending) => Promise<void>,
): Send | undefined {
  return settings === undefined ? undefined : (sending) => send(settings, sending);
}

export interface Sent {
  alert: string;
  channel: string;
  title: string;
  state: 'sent' | 'due' | 'given_up';
  /** Why it was not sent; else empty. */
  reason: string;
}

/** @returns what was tried; nothing while another process sends */
export async function sendDue(context: Context): Promise<Sent[]> {
  try {
    return await underLease(context, ALERT_LEASE, async (held) => {
      const due = await listDue(held.db, held.clock.wall(), ROUND_MAX);
      const byChannel = [...Map.groupBy(due, ({ channel }) => channel).values()];
      return (await Promise.all(byChannel.map((some) => sendInTurn(held, some)))).flat();
    });
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    context.log.debug({ event: 'alerts.busy', reason: error.message });
    return [];
  }
}

/** After the first that fails the others of this way keep for the next round. */
async function sendInTurn(context: Context, due: readonly DueDelivery[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const endMs = context.realClock.monoMs() + ROUND_MS_MAX;
  for (const delivery of due) {
    if (context.realClock.monoMs() > endMs) break;
    const tried = await sendOne(context, delivery);
    sent.push(tried);
    if (tried.state !== 'sent') break;
  }
  return sent;
}

async function sendOne(context: Context, delivery: DueDelivery): Promise<Sent> {
  const document = storedDocument(delivery.document);
  const about = { alert: delivery.alertId, channel: delivery.channel, title: document.title };
  const reason = await whyNotSent(context, delivery.channel, document);
  const now = context.clock.wall();
  if (reason === undefined) {
    await saveTry(context.db, delivery, { state: 'sent', reason: '', at: now });
    context.log.info({ event: 'alert.sent', alert: about.alert, channel: about.channel });
    return { ...about, state: 'sent', reason: '' };
  }
  const pause = PAUSES_MINUTES[delivery.tries];
  const state = pause === undefined ? 'given_up' : 'due';
  await saveTry(context.db, delivery, { state, reason, at: addMs(now, (pause ?? 0) * MINUTE_MS) });
  const line = { alert: about.alert, channel: about.channel, tries: delivery.tries + 1, reason };
  if (state === 'given_up') context.log.error({ event: 'alert.given_up', ...line });
  else context.log.warn({ event: 'alert.unsent', ...line });
  return { ...about, state, reason };
}

/** Undefined: it was sent. Masked: what a receiver or a library says is not ours. */
export async function whyNotSent(
  context: Context,
  channel: string,
  document: AlertDocument,
): Promise<string | undefined> {
  const known = ALERT_CHANNELS.find((name) => name === channel);
  if (known === undefined) return `there is no channel ${channel}`;
  const send = sendersOf(context.settings.alerts.channels)[known];
  if (send === undefined) return 'its settings are not set any more';
  try {
    await send(sendingOf(context, known, document));
    return undefined;
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    context.signal.throwIfAborted();
    return maskPersonal(maskText(messageOf(error), context.settings.secrets));
  }
}

function sendingOf(
  { settings, realClock, signal }: Context,
  channel: AlertChannel,
  document: AlertDocument,
): Sending {
  const { workbook } = document;
  const mayGoAlong = channel === 'mail' && settings.alerts.channels.mail?.attaches === true;
  const goesAlong = mayGoAlong && workbook !== null && workbook.bytes <= BigInt(ATTACHMENT_BYTES_MAX);
  return {
    document,
    text: alertText(document, wordsOfAlerts(document.locale).more),
    nowMs: epochMs(realClock.wall()),
    signal,
    attachment: goesAlong
      ? { path: path.join(settings.home, workbook.path), name: path.posix.basename(workbook.path) }
      : undefined,
  };
}
