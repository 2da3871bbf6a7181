/** The figures of an account's proof, each from its cell to the movements, entries and signed answers it is made of. */
import type { Fen } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { Figure } from '../../reports/sheets/roll-forward.ts';
import {
  findBalanceAfter,
  listMovementsOf,
  listReadDays,
  sumEntries,
  sumFindings,
  sumMovements,
} from '../../src/store/trace/account-evidence.ts';
import type { FoundSum, KindSum, ReadDay, StatedBalance } from '../../src/store/trace/account-evidence.ts';
import { accountIndexOf, findProofOf } from '../../src/store/trace/account-proofs.ts';
import type { AccountProof } from '../../src/store/trace/account-proofs.ts';
import type { TracedMovement } from '../../src/store/trace/money-path.ts';
import { findAnswers } from '../../src/store/trace/signed-answers.ts';
import { answerShown } from './answer-place.ts';
import type { AnswerShown } from './answer-place.ts';
import type { Explaining } from './explain-record.ts';
import { placesOfRun } from './run-places.ts';
import type { WorkbookPlace } from './run-places.ts';

export interface ExplainedFigure {
  figure: Figure;
  amountFen: Fen | null;
  workbook: WorkbookPlace | null;
  /** In `result.json`, as a JSON pointer; null: it is in the workbook alone. */
  result: string | null;
}

export interface ExplainedAccount {
  accountNo: string;
  proof: Omit<AccountProof, FigureColumn>;
  figures: ExplainedFigure[];
  /** What the figures in, out and fees are made of, as the tables have it now. */
  movements: KindSum[];
  entries: KindSum[];
  /** The first of them by time; `recon explain NUMBER` goes on from each. */
  firstMovements: TracedMovement[];
  /** The reading the closing was taken from; null: there was none. */
  balance: (Omit<StatedBalance, 'answerSha256'> & { answer: AnswerShown }) | null;
  /** The days that were read in full, as their seals have them. */
  days: ReadDay[];
  found: FoundSum[];
}

/** More are in the workbook; a screen has no room for them. */
const MOVEMENTS_SHOWN_MAX = 20;

const COLUMN_OF = {
  opening: 'openingFen',
  in: 'inFen',
  out: 'outFen',
  fees: 'feeFen',
  reported: 'platformFen',
  unexplained: 'unexplainedFen',
  inFlight: 'inFlightFen',
  ledgerOpening: 'ledgerOpeningFen',
  ledgerIn: 'ledgerInFen',
  ledgerOut: 'ledgerOutFen',
  ledgerFees: 'ledgerFeeFen',
  ledgerReported: 'ledgerFen',
  difference: 'differenceFen',
  lines: 'lineDifferenceFen',
  openingDifference: 'openingDifferenceFen',
} as const satisfies Partial<Record<Figure, keyof AccountProof>>;

type FigureColumn = (typeof COLUMN_OF)[keyof typeof COLUMN_OF];

/** What `result.json` has of an account; the other figures stand in the workbook alone. */
const IN_RESULT: ReadonlySet<FigureColumn> = new Set<FigureColumn>([
  'openingFen',
  'platformFen',
  'unexplainedFen',
  'inFlightFen',
  'ledgerFen',
  'differenceFen',
  'lineDifferenceFen',
  'openingDifferenceFen',
]);

/** @returns undefined where no run has come to a verdict on the account, or none on that day */
export async function explainAccount(
  explaining: Explaining,
  of: { accountNo: string; day: Day | undefined },
): Promise<ExplainedAccount | undefined> {
  const { db, zone } = explaining;
  const { accountNo } = of;
  const proof = await findProofOf(db, accountNo, of.day);
  if (proof === undefined) return undefined;
  const window = {
    from: proof.openingAt ?? zone.dayStart(proof.fromDay),
    to: zone.dayStart(addDays(proof.toDay, 1)),
  };
  const period = { accountNo, window };
  const days = { accountNo, from: zone.dayOf(window.from), to: proof.toDay };
  return {
    accountNo,
    proof: withoutFigures(proof),
    figures: await figuresOf(explaining, accountNo, proof),
    movements: await sumMovements(db, period),
    entries: await sumEntries(db, period),
    firstMovements: await listMovementsOf(db, { ...period, limit: MOVEMENTS_SHOWN_MAX }),
    balance: await balanceAt(explaining, accountNo, window),
    days: await listReadDays(db, days),
    found: await sumFindings(db, { runId: proof.runId, accountNo }),
  };
}

async function figuresOf(
  explaining: Explaining,
  accountNo: string,
  proof: AccountProof,
): Promise<ExplainedFigure[]> {
  const index = await accountIndexOf(explaining.db, { runId: proof.runId, accountNo });
  const places = await placesOfRun(explaining, proof.runId);
  return (Object.keys(COLUMN_OF) as (keyof typeof COLUMN_OF)[]).map((figure) => {
    const column = COLUMN_OF[figure];
    return {
      figure,
      amountFen: proof[column],
      workbook: places.ofFigure(figure, { accountNo, index }),
      result: IN_RESULT.has(column) ? `/accounts/${index - 1}/${column}` : null,
    };
  });
}

function withoutFigures(proof: AccountProof): ExplainedAccount['proof'] {
  const { runId, job, fromDay, toDay, version, verdict, reason, chained, source } = proof;
  const { openingAt, openingRun, movementsFen, statedFen, frozenFen } = proof;
  const head = { runId, job, fromDay, toDay, version, verdict, reason, chained, source };
  return { ...head, openingAt, openingRun, movementsFen, statedFen, frozenFen };
}

async function balanceAt(
  { db }: Explaining,
  accountNo: string,
  { to: at }: Window,
): Promise<ExplainedAccount['balance']> {
  const found = await findBalanceAfter(db, { accountNo, at });
  if (found === undefined) return null;
  const { answerSha256: sha256, ...balance } = found;
  const answers = await findAnswers(db, [sha256]);
  return { ...balance, answer: answerShown(answers, { sha256, numbers: [] }) };
}
