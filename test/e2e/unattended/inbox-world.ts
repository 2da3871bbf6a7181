/** A night that takes its files from an inbox, of one account with one deposit of 2026-03-10. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { accountsCsv, ledgerCsv } from '../../helpers/company/company-files.ts';
import type { NightOutcome } from '../../helpers/findings.ts';
import { Night } from '../../helpers/night.ts';

/** The books of 2026-03-10. */
export const FIRST = ledgerCsv([
  { id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' },
]);
export const NOTHING = ledgerCsv([]);
/** Nothing moved on that day, and the books say that it did. */
export const WRONG = ledgerCsv([
  { id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' },
]);
export const INCOMPLETE = 'the ledger is complete only to an instant before the cut';

export interface InboxWorld {
  night: Night;
  inbox: string;
  /** A file that has lain there for long. */
  deliver: (name: string | Buffer, text: string) => Promise<void>;
  close: () => Promise<void>;
}

export async function openInbox(): Promise<InboxWorld> {
  const night = await Night.open({ now: '2026-03-11 02:00:00' });
  const inbox = await mkdtemp(path.join(os.tmpdir(), 'recon-inbox-'));
  night.settings['INTAKE_INBOX'] = inbox;
  night.sandbox.seedAccounts([{ accountNo: 'A1', balanceFen: 1_000n }]);
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  const deliver = (name: string | Buffer, text: string): Promise<void> => deliverTo(inbox, name, text);
  const opening = { fen: 1_000n, at: '2026-03-08 00:00:00' };
  await deliver('accounts/list.csv', accountsCsv([{ no: 'A1', opening }]));
  const close = async (): Promise<void> => {
    await night.close();
    await rm(inbox, { recursive: true, force: true });
  };
  return { night, inbox, deliver, close };
}

/** @param name bytes, where it is no UTF-8 */
async function deliverTo(inbox: string, name: string | Buffer, text: string): Promise<void> {
  const to = Buffer.concat([Buffer.from(`${inbox}/`), Buffer.from(name)]);
  await mkdir(to.subarray(0, to.lastIndexOf('/')), { recursive: true });
  await writeFile(to, text);
  const longAgo = new Date('2026-01-01T00:00:00Z');
  await utimes(to, longAgo, longAgo);
}

export const said = ({ result }: NightOutcome): string[] =>
  result.accounts.map(({ accountNo, verdict, reason }) => `${accountNo} ${verdict} ${reason}`.trim());

export const verdicts = ({ result }: NightOutcome): string[] => result.accounts.map(({ verdict }) => verdict);
