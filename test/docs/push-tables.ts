/** The table of docs/pushes.md: how much is taken in, and how long it is kept. */
import { PUSH_LIMITS } from '../../jobs/push/push-gate.ts';
import { constantIn } from './code-notes.ts';
import { table } from './markdown.ts';

const GATE = 'jobs/push/push-gate.ts';
const SERVER = 'jobs/daemon/status-server.ts';
const WORKER = 'jobs/push/push-worker.ts';
const MEGABYTE = 1_048_576n;

function pushLimitTable(): string {
  const { perSecond, repeatedPerMinute, signed, unsigned } = PUSH_LIMITS;
  const count = (number: number | bigint): string => number.toLocaleString('en');
  const mib = (bytes: bigint): string => `${bytes / MEGABYTE} MiB`;
  const at = (path: string, name: string): number => constantIn(path, name);
  const rows = [
    ['requests a second', count(perSecond), '503', GATE],
    ['new pushes a minute, signed', count(signed.perMinute), '503', GATE],
    ['new pushes a minute, without signature', count(unsigned.perMinute), '503', GATE],
    ['pushes a minute that were kept already', count(repeatedPerMinute), '503', GATE],
    ['pushes that wait, for a signed one', count(signed.waiting), '503', GATE],
    ['pushes that wait, for one without signature', count(unsigned.waiting), '503', GATE],
    ['bytes kept, for a signed one', mib(signed.bytes), '503', GATE],
    ['bytes kept of those without signature, for one more', mib(unsigned.bytes), '503', GATE],
    ['bytes of a body', count(at(SERVER, 'BODY_BYTES_MAX')), '413', SERVER],
    ['connections at once', count(at(SERVER, 'CONNECTIONS_MAX')), 'the one silent longest is cut', SERVER],
    ['time of a request', `${at(SERVER, 'REQUEST_MS_MAX') / 1_000} s`, 'cut', SERVER],
    ['days a processed push is kept', count(at(WORKER, 'KEPT_DAYS')), 'dropped', WORKER],
    ['bytes of processed signed pushes', mib(BigInt(at(WORKER, 'SIGNED_BYTES_KEPT'))), 'dropped', WORKER],
    ['bytes of processed unsigned pushes', mib(BigInt(at(WORKER, 'UNSIGNED_BYTES_KEPT'))), 'dropped', WORKER],
  ].map(([what = '', most = '', beyond = '', path = '']) => [what, most, beyond, `\`${path}\``]);
  return table(['what', 'at most', 'beyond it', 'decided in'], rows);
}

export const PUSH_TABLES = { 'push-limits': pushLimitTable } as const;
