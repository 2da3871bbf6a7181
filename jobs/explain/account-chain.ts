/** `recon accounts show`: the chain of an account's proofs, day by day, in the words of the workbook. */
import { nearest } from '../../src/core/nearest.ts';
import { WrongInput } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { listAccounts } from '../../src/store/intake/accounts.ts';
import type { AccountRow } from '../../src/store/intake/accounts.ts';
import { listAccountProofs } from '../../src/store/trace/account-proofs.ts';
import type { AccountProof } from '../../src/store/trace/account-proofs.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { parseSpan } from '../context/day-arguments.ts';
import { block, listed, money, screenOf, time } from './screen.ts';
import type { Screen } from './screen.ts';
import { accountShown } from '../commands/accounts.ts';

export interface AccountShowOptions extends CommonOptions {
  from?: string;
  to?: string;
}

/** A month of nights, and what was restated or read again beside them. */
const PROOFS_SHOWN = 40;
/** Ten years of nights. */
const PROOFS_MAX = 4_000;

export interface AccountDay extends AccountProof {
  /** Opening + in − out − fees. */
  computedFen: bigint | null;
}

export function showAccountCommand(accountNo: string, options: AccountShowOptions): Promise<void> {
  const needs: CommandNeeds<{ from: Day | undefined; to: Day | undefined }> = {
    platform: false,
    arguments: () => parseSpan(options),
  };
  return withContext(options, needs, async ({ db, zone, settings }, span) => {
    const rows = await listAccounts(db);
    const row = rows.find((one) => one.account_no === accountNo);
    if (row === undefined) throw new WrongInput(noSuchAccount(accountNo, rows));
    const limit = span.from === undefined ? PROOFS_SHOWN : PROOFS_MAX;
    const proofs = await listAccountProofs(db, accountNo, { ...span, limit });
    const days = proofs.map(withComputed);
    const screen = screenOf({ zone, locale: settings.reportLocale });
    const document = { schema: 1, account: accountShown(row), days };
    return { status: 0, document, text: chainText(screen, row, days) };
  });
}

function noSuchAccount(accountNo: string, rows: readonly AccountRow[]): string {
  const meant = nearest(
    accountNo,
    rows.map((one) => one.account_no),
  );
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `there is no account ${JSON.stringify(accountNo)}${hint}; "recon accounts list" shows all`;
}

function withComputed(proof: AccountProof): AccountDay {
  const { openingFen, inFen, outFen, feeFen } = proof;
  return { ...proof, computedFen: openingFen === null ? null : openingFen + inFen - outFen - feeFen };
}

function chainText(screen: Screen, account: AccountRow, days: readonly AccountDay[]): string {
  const { say, words } = screen;
  const { rollForward: w, common } = words;
  const head = block(`${say.account} ${account.account_no}`, [
    [common.accountName, account.name],
    [
      say.opensAt,
      account.opening_at === null
        ? ''
        : `${time(screen, account.opening_at)} · ${money(account.opening_fen)}`,
    ],
  ]);
  const table = listed(screen, say.proof, {
    titles: [
      say.days,
      w.opening,
      w.received,
      w.paid,
      w.fees,
      w.computed,
      w.platformReported,
      w.unexplained,
      common.verdict,
      say.provenBy,
    ],
    rows: days.map((one) => [
      common.period({ from: one.fromDay, to: one.toDay }),
      money(one.openingFen),
      money(one.inFen),
      money(one.outFen),
      money(one.feeFen),
      money(one.computedFen),
      money(one.platformFen),
      money(one.unexplainedFen),
      words.verdicts[one.verdict],
      one.chained ? one.runId : `${one.runId} (${say.chainBroken})`,
    ]),
    options: { right: [1, 2, 3, 4, 5, 6, 7] },
  });
  return `${head}\n${table}\n${say.goOn(`${account.account_no} --day yyyy-MM-dd`)}`;
}
