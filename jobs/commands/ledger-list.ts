/** `recon ledger list`: the latest entries that are in the books, each with the row of its file. */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { addDays } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import { requireAccount } from '../../src/store/intake/accounts.ts';
import { listLedger } from '../../src/store/intake/ledger-list.ts';
import type { ListedEntry } from '../../src/store/intake/ledger-list.ts';
import { listSources } from '../../src/store/intake/ledger-sources.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { parseSpan } from '../context/day-arguments.ts';

export interface LedgerListOptions extends CommonOptions {
  account?: string;
  source?: string;
  day?: string;
  from?: string;
  to?: string;
  all?: boolean;
}

/** A screenful or a few; who wants more says so. */
const LISTED_MAX = 200;
const ALL_MAX = 10_000;

export function listLedgerCommand(options: LedgerListOptions): Promise<void> {
  const needs: CommandNeeds<ReturnType<typeof parseSpan>> = {
    platform: false,
    arguments: () => parseSpan(options),
  };
  return withContext(options, needs, async ({ db, zone }, span) => {
    if (options.account !== undefined) await requireAccount(db, options.account);
    if (options.source !== undefined) await requireSource(db, options.source);
    const limit = options.all === true ? ALL_MAX : LISTED_MAX;
    const found = await listLedger(db, {
      accountNo: options.account,
      source: options.source,
      from: span.from === undefined ? undefined : zone.dayStart(span.from),
      before: span.to === undefined ? undefined : zone.dayStart(addDays(span.to, 1)),
      limit: limit + 1,
    });
    const entries = found
      .slice(0, limit)
      .map((entry) => ({ ...entry, counterparty: maskPersonal(entry.counterparty) }));
    const more = found.length > limit;
    return {
      status: 0,
      document: { schema: 1, entries, more },
      text: listText(entries, { zone, limit, more }),
    };
  });
}

/** @throws WrongInput when nothing was ever taken in of it */
async function requireSource(db: Db, source: string): Promise<void> {
  const known = (await listSources(db)).some((one) => one.source === source);
  if (!known) throw new WrongInput(`there is no source "${source}"; "recon ledger sources" lists all`);
}

function listText(
  entries: readonly ListedEntry[],
  { zone, limit, more }: { zone: Zone; limit: number; more: boolean },
): string {
  const table = tableText(
    ['entry', 'account', 'kind', 'amount', 'reference', 'booked', 'status', 'source', 'file', 'row'],
    entries.map((entry) => [
      entry.entryId,
      entry.accountNo,
      entry.kind,
      yuanForPeople(entry.amountFen),
      entry.reference,
      zone.localText(entry.bookedAt),
      entry.status,
      entry.source,
      entry.file,
      entry.fileRow === null ? '' : String(entry.fileRow),
    ]),
    { right: [3, 9] },
  );
  return more ? `${table}\nthe latest ${limit}; name --account, --day or --all for others` : table;
}
