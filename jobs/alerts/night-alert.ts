/** What is told of the verdict of a night: the first line says what it comes to, and never that all is well without proof. */
import { detailInWords } from '../../reports/words/reason-details.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { countAccountsWhy, listWorkbooks, sumFound } from '../../src/store/alerts/night-facts.ts';
import type { AccountsWhy, FoundSum } from '../../src/store/alerts/night-facts.ts';
import { wasRaised, wasToldOf } from '../../src/store/alerts/alerts.ts';
import { lateText, listStated } from '../../src/store/intake/ledger-complete.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Verdict } from '../../src/store/schema/schema.ts';
import { causeOf } from '../../src/reconcile/balance/reasons.ts';
import { raise, workbookAt } from './raise.ts';
import type { Telling, Told } from './raise.ts';
import type { AlertWords, Sum } from './words/alert-words.ts';
import { wordsOfAlerts } from './words/words-of-alerts.ts';

interface NightFacts {
  run: Run;
  verdict: Verdict;
  found: FoundSum[];
  accounts: AccountsWhy[];
  /** What the ledger lacks, in words; empty where it is there. */
  noLedger: string[];
}

/** Nights of which nothing but good is to be said are told where somebody wants it, or was told otherwise of that day. */
export async function raiseVerdict(context: Telling, run: Run): Promise<void> {
  const { db, settings } = context;
  if (run.verdict === null) throw new Error(`Bug: ${run.run_id} has no verdict`);
  const facts = await factsOf(context, { ...run, verdict: run.verdict });
  const told = toldOf(facts, wordsOfAlerts(settings.reportLocale));
  const isWanted =
    told.severity !== 'info' ||
    settings.alerts.tellsGreen ||
    (await wasToldOf(db, run.to_day, ['verdict', 'run_failed', 'late', 'pull']));
  if (!isWanted) return;
  const [file] = await listWorkbooks(db, run.run_id);
  const workbook = workbookAt(settings, file);
  const about = { day: run.to_day, runId: run.run_id, verdict: run.verdict, workbook };
  await raise(context, causeOfVerdict(run), { ...told, ...about });
}

function causeOfVerdict({ run_id: runId, verdict }: Run): string {
  return `verdict:${runId}:${verdict ?? ''}`;
}

/** Whether there is anything but good to be said of it, and nobody has: who ran it died before, or was stopped. */
export async function isUntold(context: Telling, run: Run): Promise<boolean> {
  const { db, settings } = context;
  if (run.verdict === null || (await wasRaised(db, causeOfVerdict(run)))) return false;
  const facts = await factsOf(context, { ...run, verdict: run.verdict });
  return toldOf(facts, wordsOfAlerts(settings.reportLocale)).severity !== 'info';
}

async function factsOf(context: Telling, run: Run & { verdict: Verdict }): Promise<NightFacts> {
  const { db, zone, settings } = context;
  const accounts = await countAccountsWhy(db, run.run_id);
  const { lines } = wordsOfAlerts(settings.reportLocale);
  const cut = zone.dayStart(addDays(run.to_day, 1));
  const ledgers = (await listStated(db, { cut, zone })).flatMap((ledger) => {
    const { source, complete_to: completeTo } = ledger;
    if (completeTo === null) return detailInWords(settings.reportLocale, lateText(ledger, zone));
    return completeTo < cut ? [lines.ledger({ source, completeTo: upTo(zone, completeTo) })] : [];
  });
  const lacking = accounts.find(({ code }) => code === 'ledger_incomplete');
  const why = lacking === undefined ? [] : detailInWords(settings.reportLocale, lacking.detail);
  const noLedger = lacking !== undefined && ledgers.length > 0 ? ledgers : why;
  return { run, verdict: run.verdict, found: await sumFound(db, run.run_id), accounts, noLedger };
}

/** The last whole day, where it is one. */
function upTo(zone: Zone, completeTo: Instant): string {
  const day = zone.dayOf(completeTo);
  return zone.dayStart(day) === completeTo ? addDays(day, -1) : zone.localText(completeTo);
}

function toldOf(facts: NightFacts, words: AlertWords): Told {
  const { run, verdict, found, accounts, noLedger } = facts;
  const { titles, lines } = words;
  const day = run.to_day;
  const breaks = found.filter(({ severity }) => severity === 'break');
  const attention = found.filter(({ severity }) => severity === 'attention');
  const sumFen = breaks.reduce((sum, one) => sum + one.sumFen, 0n);
  const total = sumOf(breaks);
  const numbers = { count: total.count, sumFen };
  const without = countOf(accounts, verdict);
  const detail = detailLines(facts, words);
  const kind = 'verdict' as const;
  const beside = total.count === 0 ? [] : [lines.breaksBeside(total)];
  switch (verdict) {
    case 'incomplete': {
      const isLedgerAlone = accounts.every(
        (one) => one.verdict !== verdict || one.code === 'ledger_incomplete',
      );
      if (isLedgerAlone && noLedger.length > 0) {
        const title = titles.noLedger(day, noLedger.join('; '));
        return {
          kind,
          severity: 'critical',
          title,
          lines: [...beside, ...detail, lines.doLedger(day)],
          ...numbers,
        };
      }
      const title = titles.incomplete(day, without);
      const why = [...beside, ...detail, ...noLedger, lines.doAgain(day)];
      return { kind, severity: 'critical', title, lines: why, ...numbers };
    }
    case 'unverified': {
      const title = titles.unverified(day, without);
      return { kind, severity: 'warning', title, lines: [...beside, ...detail, lines.doLook], ...numbers };
    }
    case 'breaks': {
      const title = titles.breaks(day, total);
      return { kind, severity: 'warning', title, lines: [...detail, lines.doBreaks], ...numbers };
    }
    case 'reconciled':
    case 'reconciled_with_timing': {
      const count = attention.reduce((sum, one) => sum + one.count, 0);
      const all = accounts.reduce((sum, one) => sum + one.count, 0);
      return count > 0
        ? {
            kind,
            severity: 'warning',
            title: titles.attention(day, count),
            lines: [...detail, lines.doBreaks],
            ...numbers,
          }
        : { kind, severity: 'info', title: titles.green(day, all), lines: detail, ...numbers };
    }
  }
}

function countOf(accounts: readonly AccountsWhy[], verdict: Verdict): number {
  return accounts.filter((one) => one.verdict === verdict).reduce((sum, one) => sum + one.count, 0);
}

function sumOf(found: readonly FoundSum[]): Sum {
  const fen = found.reduce((sum, one) => sum + one.sumFen, 0n);
  return { count: found.reduce((sum, one) => sum + one.count, 0), yuan: yuanForPeople(fen) };
}

function detailLines({ found, accounts }: NightFacts, words: AlertWords): string[] {
  const { lines, terms } = words;
  const timing = found.filter(({ severity }) => severity === 'timing');
  return [
    ...found
      .filter(({ severity }) => severity === 'break')
      .map((one) => lines.found(terms.classes[one.class], sumOf([one]))),
    ...accounts
      .filter(({ verdict }) => verdict === 'incomplete' || verdict === 'unverified')
      .map((one) =>
        lines.accounts({ verdict: terms.verdicts[one.verdict], count: one.count, why: whyOf(one, words) }),
      ),
    ...found
      .filter(({ severity }) => severity === 'attention')
      .map((one) => lines.attention(terms.classes[one.class], one.count)),
    ...(timing.length > 0 ? [lines.timing(sumOf(timing))] : []),
  ];
}

function whyOf({ code, detail }: AccountsWhy, { terms }: AlertWords): string {
  const reasons: Readonly<Record<string, string>> = terms.reasons;
  const cause = causeOf(`${code}:${detail}`);
  return [reasons[code] ?? code, ...(cause === '' ? [] : [cause])].join(' – ');
}
