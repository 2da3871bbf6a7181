/** `recon alerts list`, `send` and `test`. */
import { ALERT_CHANNELS } from '../../src/core/config/config-alerts.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { alertIdOf, countDeliveries, listAlerts, retryGivenUp } from '../../src/store/alerts/alerts.ts';
import type { DeliveryCount, DeliveryState, ListedAlert } from '../../src/store/alerts/alerts.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import type { Context } from '../context/context.ts';
import type { AlertDocument } from './alert-document.ts';
import { raiseLate } from './other-alerts.ts';
import { channelsSet, documentOf, storedDocument } from './raise.ts';
import { raiseUntold } from './watch-night.ts';
import { sendDue, whyNotSent } from './send.ts';
import type { Sent } from './send.ts';
import { wordsOfAlerts } from './words/words-of-alerts.ts';

export interface AlertListOptions extends CommonOptions {
  state?: DeliveryState;
  last: number;
}

export interface AlertList {
  schema: 1;
  alerts: (Omit<ListedAlert, 'document'> & { document: AlertDocument })[];
  /** Of all alerts there are. */
  counts: DeliveryCount[];
}

export function listAlertsCommand(options: AlertListOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const listed = await listAlerts(db, { state: options.state, limit: options.last });
    const alerts = listed.map((alert) => ({ ...alert, document: storedDocument(alert.document) }));
    const text = tableText(
      ['raised', 'alert', 'kind', 'deliveries', 'says'],
      alerts.map((alert) => [
        zone.localText(alert.raisedAt),
        alert.id,
        alert.kind,
        alert.deliveries.map(deliveryText).join(', '),
        alert.document.title,
      ]),
    );
    const document: AlertList = { schema: 1, alerts, counts: await countDeliveries(db) };
    const none = 'nothing has been told yet';
    return { status: 0, document, text: alerts.length === 0 ? none : text };
  });
}

function deliveryText({ channel, state, tries, reason }: ListedAlert['deliveries'][number]): string {
  const tried = state === 'sent' || tries === 0 ? '' : ` after ${tries} tries: ${reason}`;
  return `${channel} ${state === 'given_up' ? 'given up' : state}${tried}`;
}

export interface AlertSendOptions extends CommonOptions {
  again?: boolean;
}

export function sendAlertsCommand(options: AlertSendOptions): Promise<void> {
  return withContext(options, { platform: false }, async (context) => {
    requireChannels(context);
    if (options.again === true) await retryGivenUp(context.db, context.clock.wall());
    await raiseUntold(context);
    await raiseLate(context);
    return sentOutcome(await sendDue(context));
  });
}

function sentOutcome(tried: Sent[]): Outcome {
  const lines = tried.map(
    ({ channel, title, state, reason }) =>
      `${state === 'sent' ? 'sent' : 'not sent'}  ${channel}  ${title}${reason === '' ? '' : `: ${reason}`}`,
  );
  const text = lines.length === 0 ? 'nothing is due' : lines.join('\n');
  return { status: statusOf(tried), document: { schema: 1, tried }, text };
}

function statusOf(tried: readonly Sent[]): 0 | 1 {
  return tried.every(({ state }) => state === 'sent') ? 0 : 1;
}

export interface AlertTestOptions extends CommonOptions {
  channel?: string;
}

/** Nothing is stored: a test says nothing of the books. */
export function testAlertsCommand(options: AlertTestOptions): Promise<void> {
  return withContext(options, { platform: false }, async (context) => {
    const channels =
      options.channel === undefined ? requireChannels(context) : [chosen(context, options.channel)];
    const tried = await Promise.all(channels.map((channel) => testOne(context, channel)));
    return sentOutcome(tried);
  });
}

async function testOne(context: Context, channel: string): Promise<Sent> {
  const document = testDocument(context, channel);
  const reason = await whyNotSent(context, channel, document);
  const state = reason === undefined ? 'sent' : 'due';
  return { alert: document.id, channel, title: document.title, state, reason: reason ?? '' };
}

function testDocument(context: Context, channel: string): AlertDocument {
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const id = alertIdOf(`test:${context.ids.token()}`);
  const title = titles.test(channel);
  return documentOf(context, id, { kind: 'test', severity: 'info', title, lines: [lines.test] });
}

function requireChannels({ settings }: Context): string[] {
  const channels = channelsSet(settings);
  if (channels.length > 0) return channels;
  throw new WrongInput('no channel is set: ALERT_WEBHOOK_URL, ALERT_MAIL_URL and others say where alerts go');
}

function chosen({ settings }: Context, channel: string): string {
  if (channelsSet(settings).some((name) => name === channel)) return channel;
  throw new WrongInput(
    ALERT_CHANNELS.some((name) => name === channel)
      ? `the channel ${channel} is not set: ALERT_${channel.toUpperCase()}_… says where it goes`
      : `--channel ${channel} is none of ${ALERT_CHANNELS.join(', ')}`,
  );
}
