/** What happened, in words, for the rows of breaks (docs/accountants-guide.md 3). */
import { absolute, yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { recordState, remarkText } from './free-text.ts';
import { maskedText } from '../words/masked-text.ts';
import type { ItemRow } from '../read/read-items.ts';
import type { Report } from '../read/report.ts';

export function happenedText(report: Pick<Report, 'accountNames' | 'words' | 'zone'>, row: ItemRow): string {
  const { words, zone } = report;
  const { tell, withRemark } = words.breaks.happened;
  const moment = row.platform_at ?? row.ledger_at;
  const told = tell[row.class]({
    number: recordNumber(row),
    entry: row.ledger_ref,
    platform: amountText(row.platform_fen),
    ledger: amountText(row.ledger_fen),
    size: yuanForPeople(absolute(row.platform_fen ?? row.ledger_fen ?? 0n)),
    difference: yuanForPeople(absolute(row.difference_fen)),
    isReceived: (row.platform_fen ?? row.ledger_fen ?? 0n) >= 0n,
    at: moment === null ? '' : zone.localText(moment).slice('2026-'.length, '2026-03-01 10:00'.length),
    counterparty: maskedText(report, row.counterparty),
    state: recordState(words, row.platform_state),
    isPlatformMore: row.difference_fen > 0n,
  });
  return row.note === '' ? told : withRemark(told, remarkText(report, row.note));
}

/** The platform's number, else the one that the books name, unless that is the entry itself or the account. */
function recordNumber({
  platform_ref: platformRef,
  ledger_ref: ledgerRef,
  reference,
  account_no,
}: ItemRow): string {
  if (platformRef !== '') return platformRef;
  return reference === ledgerRef || reference === account_no ? '' : reference;
}

function amountText(fen: Fen | null): string {
  return fen === null ? '' : yuanForPeople(fen);
}
