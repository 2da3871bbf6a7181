/** `recon explain`: any figure, order or break traced to what it was read from. */
import { WrongInput } from '../../src/core/errors.ts';
import { nearest } from '../../src/core/nearest.ts';
import type { Day } from '../../src/core/time.ts';
import { listAccounts } from '../../src/store/intake/accounts.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { runJob } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Job } from '../cli/command.ts';
import { parseDayOption } from '../context/day-arguments.ts';
import { explainNumber } from './explain-number.ts';
import type { Explanation } from './explain-number.ts';
import { explanationText } from './explanation-text.ts';
import { screenOf } from './screen.ts';

interface Asked {
  number: string;
  day: Day | undefined;
}

export interface ExplainOptions extends CommonOptions {
  day?: string;
}

export function explainCommand(number: string, options: ExplainOptions): Promise<void> {
  return runJob(options, explainJob(number, options));
}

export function explainJob(number: string, options: ExplainOptions): Job<Asked, Explanation> {
  const needs: CommandNeeds<Asked> = {
    platform: false,
    arguments: () => ({
      number: asked(number),
      day: options.day === undefined ? undefined : parseDayOption('--day', options.day),
    }),
  };
  const work: ReturnType<typeof explainJob>['work'] = async (context, given) => {
    const { db, zone, clock, profile, settings } = context;
    const locale = settings.reportLocale;
    const today = zone.dayOf(clock.wall());
    const explaining = { db, zone, profile, locale, home: settings.home };
    const document = await explainNumber(explaining, { ...given, today });
    if (document === undefined) throw new WrongInput(await notFound(db, given));
    return { status: 0, document, text: explanationText(screenOf({ zone, locale }), document) };
  };
  return { needs, work };
}

function asked(number: string): string {
  const trimmed = number.trim();
  if (trimmed !== '') return trimmed;
  throw new WrongInput('name what to explain: an account, an order, a deposit, a break or an entry');
}

/** Where it was looked for, and what to try. */
async function notFound(db: Db, { number, day }: { number: string; day: Day | undefined }): Promise<string> {
  const accounts = (await listAccounts(db)).map((account) => account.account_no);
  if (accounts.includes(number)) {
    const of = day === undefined ? '' : ` for ${day} or a later day`;
    return `no run has come to a verdict on account ${number}${of}; "recon accounts show ${number}" lists its days, "recon nightly --day D" proves one`;
  }
  const meant = nearest(number, accounts);
  const hint = meant === undefined ? '' : ` (did you mean account ${meant}?)`;
  return [
    `nothing bears ${JSON.stringify(number)}${hint}: looked for in accounts, deposits, transfer orders and batches,`,
    'withdrawals, the order registry, entries of the books and breaks.',
    'Numbers are compared letter by letter; an entry goes by its entry_id.',
    '"recon breaks list", "recon orders list --account NO" and "recon ledger list --account NO" show numbers to try',
  ].join(' ');
}
