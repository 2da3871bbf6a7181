/** How an alert is stored: what all have in common is filled in here, and a cause that is known stays as it was told. */
import { isJsonObject } from '../../src/core/json.ts';
import { ALERT_CHANNELS } from '../../src/core/config/config-alerts.ts';
import type { AlertChannel } from '../../src/core/config/config-alerts.ts';
import type { Settings } from '../../src/core/config/config.ts';
import { maskPersonal, maskText } from '../../src/core/mask.ts';
import { alertIdOf, saveAlert } from '../../src/store/alerts/alerts.ts';
import type { Context } from '../context/context.ts';
import type { AlertDocument, AlertWorkbook } from './alert-document.ts';

/** What alerts are made with. */
export type Telling = Pick<Context, 'db' | 'clock' | 'zone' | 'log' | 'settings' | 'profile'>;

/** What is told; the rest of the document is the same for all. */
export type Told = Pick<AlertDocument, 'kind' | 'severity' | 'title' | 'lines'> & Partial<AlertDocument>;

export function channelsSet({ alerts }: Pick<Settings, 'alerts'>): AlertChannel[] {
  return ALERT_CHANNELS.filter((channel) => alerts.channels[channel] !== undefined);
}

/** @param cause what must not be told twice */
export async function raise(context: Telling, cause: string, told: Told): Promise<void> {
  const document = documentOf(context, alertIdOf(cause), told);
  const { kind, day, raisedAt: at } = document;
  const channels = channelsSet(context.settings);
  const isNew = await saveAlert(context.db, { cause, kind, day, document, at, channels });
  if (isNew)
    context.log.info({ event: 'alert.raised', alert: document.id, kind, day, title: document.title });
}

/** Nothing personal and no secret, whatever a cause quotes. */
export function documentOf({ clock, settings, profile }: Telling, id: string, told: Told): AlertDocument {
  const clean = (text: string): string => maskPersonal(maskText(text, settings.secrets)).slice(0, TEXT_MAX);
  return {
    schema: 1,
    id,
    day: null,
    runId: null,
    verdict: null,
    company: profile.company.name,
    locale: settings.reportLocale,
    count: null,
    sumFen: null,
    workbook: null,
    raisedAt: clock.wall(),
    ...told,
    title: clean(told.title),
    lines: told.lines.map(clean),
  };
}

/** A line of a message. */
const TEXT_MAX = 500;

/** As it was stored: amounts come back from the database as numbers. */
export function storedDocument(stored: unknown): AlertDocument {
  if (!isJsonObject(stored)) throw new Error('Bug: an alert without a document');
  const amounts = (key: string, value: unknown): unknown =>
    (key === 'sumFen' || key === 'bytes') && typeof value === 'number' ? BigInt(value) : value;
  return JSON.parse(JSON.stringify(stored), amounts) as AlertDocument;
}

/** A file below `RECON_HOME`, as it is found there and from elsewhere. */
export function workbookAt(
  { alerts: { filesUrl } }: Settings,
  file: { path: string; bytes: bigint } | undefined,
): AlertWorkbook | null {
  if (file === undefined) return null;
  const url =
    filesUrl === undefined ? null : `${filesUrl}/${file.path.split('/').map(encodeURIComponent).join('/')}`;
  return { path: file.path, bytes: file.bytes, url };
}
