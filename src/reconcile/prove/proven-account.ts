/** An account as its proof left it. */
import type { Fen } from '../../core/fen.ts';
import type { Unexplained } from '../../store/runs/chain.ts';
import type { Verdict } from '../../store/schema/schema-proof.ts';
import type { AccountNumbers } from '../balance/prove-account.ts';
import type { InflightModel } from '../timing/timing-question.ts';

export interface ProvenAccount {
  accountNo: string;
  verdict: Verdict;
  reason: string;
  numbers: AccountNumbers;
  lineDifferenceFen: Fen;
  openingDifferenceFen: Fen | undefined;
  differenceFen: Fen | undefined;
  assumptions: string[];
  /** Assignments of ambiguous orders that explain the balance equally well. */
  candidates: { assume: string; differenceFen: Fen }[];
  inflightModel: InflightModel | undefined;
  /** The next proof may begin at this closing. */
  chained: boolean;
  /** By day; empty where the account is not proven. */
  unexplained: Unexplained[];
}
