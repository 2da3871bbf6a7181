/** The files that are old enough to go, read from the disk: what is not as it was recorded never goes. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { RetainedKind } from '../../src/core/config/config-retention.ts';
import { codeOf } from '../../src/core/errors.ts';
import { addDays, addMs, epochMs, instantOf } from '../../src/core/time.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { openAccounts, signedSpans } from '../../src/store/prune/evidence.ts';
import type { Why } from '../../src/store/prune/evidence.ts';
import {
  listOldBundles,
  listOldVersions,
  listOpenRuns,
  listSignedRuns,
  neededFiles,
  signedDigests,
} from '../../src/store/prune/old-files.ts';
import { keyOf } from './pruned-files.ts';
import { periodOf } from '../../src/store/periods/period.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { Context } from '../context/context.ts';
import { AWAY } from '../inbox/inbox-place.ts';
import { REPORTS, reportFolder } from '../night/publish/publish.ts';
import { bundleFolder } from '../night/vouchers/voucher-paths.ts';
import { filesOfBundle } from '../night/vouchers/voucher-place.ts';

export interface OldFile {
  /** Below its root, with `/` between its parts. */
  key: string;
  sha256: string;
  bytes: bigint;
  day: Day;
  why: Why | null;
}

export type FileKind = Exclude<RetainedKind, 'answers' | 'alerts'>;

export const FILE_KINDS: readonly FileKind[] = ['versions', 'bundles', 'aside', 'inbox'];

export interface Looking extends Pick<Context, 'files' | 'settings' | 'zone' | 'signal'> {
  session: Db;
  /** What is of this day or later stays. */
  before: Day;
}

/** The folder that the keys of a kind lie below. */
export function rootOf({ settings }: Pick<Context, 'settings'>, kind: string): string {
  return kind === 'inbox' ? (settings.inbox ?? settings.home) : settings.home;
}

export const FIND: Readonly<Record<FileKind, (of: Looking) => Promise<OldFile[]>>> = {
  versions: findVersions,
  bundles: findBundles,
  aside: findAside,
  inbox: findInbox,
};

async function findVersions(of: Looking): Promise<OldFile[]> {
  const { session, zone } = of;
  const [open, signed] = [await listOpenRuns(session), await listSignedRuns(session)];
  const found: OldFile[] = [];
  for (const version of await listOldVersions(session, zone.dayStart(of.before))) {
    const id = version.run.run_id;
    const why = signed.has(id)
      ? 'signed_period'
      : open.has(id)
        ? 'open_break'
        : version.isFollowed
          ? null
          : 'latest';
    const recorded = version.files.map((file) => ({ key: file.path, sha256: file.sha256 }));
    found.push(...(await look(of, recorded, { day: zone.dayOf(version.supersededAt), why })));
  }
  return found;
}

async function findBundles(of: Looking): Promise<OldFile[]> {
  const { session, settings, zone } = of;
  const [open, spans] = [await openAccounts(session), await signedSpans(session)];
  const found: OldFile[] = [];
  for (const bundle of await listOldBundles(session, zone.dayStart(of.before))) {
    const { from, to } = periodOf(bundle.month);
    const [begins, ends] = [zone.dayStart(from), zone.dayStart(addDays(to, 1))];
    const isSigned = spans.some((span) => begins < span.to && ends > span.from);
    const why = isSigned ? 'signed_period' : open.has(bundle.account_no) ? 'open_break' : null;
    const key = { accountNo: bundle.account_no, month: bundle.month };
    const folder = path.posix.join(bundleFolder(key), 'superseded', `v${bundle.version}`);
    const place = path.join(settings.home, folder);
    const names = new Map((await filesOfBundle(of, place, bundle)).map((file) => [file.name, file.sha256]));
    const recorded = (await entriesOf(place)).map((entry) => ({
      key: `${folder}/${entry.name}`,
      sha256: names.get(entry.name) ?? '',
    }));
    found.push(...(await look(of, recorded, { day: zone.dayOf(bundle.superseded_at ?? ''), why })));
  }
  return found;
}

const ASIDE = /\.aside-[0-9a-f]{12}\.[a-z]+$/;

/** The folder of a run that has something open keeps what people made of its workbook. */
async function findAside(of: Looking): Promise<OldFile[]> {
  const { session, settings, zone } = of;
  const open = await listOpenRuns(session);
  const runs = await session
    .selectFrom('run')
    .selectAll()
    .where('run_id', 'in', ['', ...open])
    .execute();
  const kept = new Set(runs.map((run) => keyOf(reportFolder('', run))));
  const found: OldFile[] = [];
  for (const key of await filesBelow(settings.home, REPORTS, (name) => ASIDE.test(name))) {
    const since = await sinceOf(path.join(settings.home, key));
    if (since === undefined || zone.dayOf(since) >= of.before) continue;
    const why = kept.has(path.posix.dirname(key)) ? 'open_break' : null;
    found.push(...(await look(of, [{ key }], { day: zone.dayOf(since), why })));
  }
  const signed = await signedDigests(
    session,
    found.map(({ sha256 }) => sha256),
  );
  return found.map((file) => (signed.has(file.sha256) ? { ...file, why: 'signed_period' } : file));
}

const DAY_FOLDER = /^\d{4}-\d{2}-\d{2}$/;

async function findInbox(of: Looking): Promise<OldFile[]> {
  const { inbox } = of.settings;
  if (inbox === undefined) return [];
  const found: OldFile[] = [];
  for (const away of AWAY) {
    const days = (await entriesOf(path.join(inbox, away))).filter(
      (entry) => entry.isDirectory() && DAY_FOLDER.test(entry.name) && entry.name < of.before,
    );
    for (const { name: day } of days) {
      const keys = await filesBelow(inbox, `${away}/${day}`, () => true);
      const recorded = keys.map((key) => ({ key }));
      found.push(...(await look(of, recorded, { day, why: null, root: inbox })));
    }
  }
  const needed = await neededFiles(
    of.session,
    found.map(({ sha256 }) => sha256),
  );
  return found.map((file) => ({ ...file, why: needed.get(file.sha256) ?? file.why }));
}

/**
 * What of these lies there. Whatever is not as it was recorded is kept, and so is what is no regular file.
 * @param recorded without a digest: whatever it holds, it is what it is
 */
async function look(
  { files, settings, signal }: Looking,
  recorded: readonly { key: string; sha256?: string }[],
  of: { day: Day; why: Why | null; root?: string },
): Promise<OldFile[]> {
  const found: OldFile[] = [];
  for (const { key, sha256 } of recorded) {
    signal.throwIfAborted();
    const file = path.join(of.root ?? settings.home, key);
    const stats = await statsOf(file);
    if (stats === undefined) continue;
    const actual = stats.isFile() ? await files.sha256(file) : '';
    const isOurs = actual !== '' && (sha256 === undefined || sha256 === actual);
    const why = isOurs ? of.why : actual === '' ? 'not_ours' : 'changed';
    found.push({ key, sha256: actual, bytes: stats.size, day: of.day, why });
  }
  return found;
}

/** Whether what was begun to be pruned is there still, as it was. */
export async function isStillThere(
  { files }: Pick<Context, 'files'>,
  file: string,
  sha256: string,
): Promise<boolean> {
  const stats = await statsOf(file);
  return stats?.isFile() === true && (await files.sha256(file)) === sha256;
}

async function filesBelow(
  root: string,
  below: string,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(path.join(root, below))) {
    const key = `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, key, isWanted)));
    else if (isWanted(entry.name)) found.push(key);
  }
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function statsOf(file: string) {
  try {
    return await lstat(file, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Since when it has been there like this: also a copy that was put back is young. */
async function sinceOf(file: string): Promise<Instant | undefined> {
  const stats = await statsOf(file);
  if (stats === undefined) return undefined;
  return instantOf(Number(stats.mtimeMs > stats.ctimeMs ? stats.mtimeMs : stats.ctimeMs));
}

/** What a process that was killed was still writing. */
const UNFINISHED = /^\.(?:tmp-[0-9a-f]{16}(?:\.[a-z]+)?|next-.+)$/;
const UNFINISHED_MS = 86_400_000;

/** Below the folders that recon writes; nobody else writes there while the lease is held. */
export async function findLeftovers(
  { settings }: Pick<Context, 'settings'>,
  now: Instant,
): Promise<{ key: string; bytes: bigint; since: Instant }[]> {
  const found: { key: string; bytes: bigint; since: Instant }[] = [];
  for (const folder of [REPORTS, 'vouchers', 'bundles']) {
    for (const key of await filesBelow(settings.home, folder, (name) => UNFINISHED.test(name))) {
      const since = await sinceOf(path.join(settings.home, key));
      const stats = await statsOf(path.join(settings.home, key));
      if (since === undefined || stats === undefined || epochMs(since) > epochMs(addMs(now, -UNFINISHED_MS)))
        continue;
      found.push({ key, bytes: stats.size, since });
    }
  }
  return found;
}
