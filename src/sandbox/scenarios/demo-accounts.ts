/** The demo company's registry accounts: one that initiates transfers and seven that receive. */
import type { Fen } from '../../core/fen.ts';
import type { Seeded } from '../random.ts';
import type { AccountSeed } from '../seed-schema.ts';
import { bankCode, cardNo, companyName, identityNo, licenseNo, maskedMobile, personName } from './people.ts';

/** What an account is there for. */
export type DemoRole =
  /** Nothing is planted here. */
  | 'clean'
  /** Differences between single lines of both books. */
  | 'lines'
  /** Faults of what the platform states. */
  | 'facts'
  /** Items on different sides of the cut, or not yet final. */
  | 'timing'
  /** The listing is empty although money came in. */
  | 'silent';

export interface DemoAccount {
  accountNo: string;
  part: DemoRole;
  openingFen: Fen;
  subjectId: string;
  seed: AccountSeed & { eleAcctNo: string; name: string; role: 'FQ' | 'JS'; autoSettle: boolean };
  /** Deposits on an ordinary weekday. */
  perDay: number;
}

interface Plan {
  part: DemoRole;
  role: 'FQ' | 'JS';
  person: boolean;
  openingFen: Fen;
  perDay: number;
}

const PLANS: readonly Plan[] = [
  { part: 'clean', role: 'FQ', person: false, openingFen: 125_000_000n, perDay: 9 },
  { part: 'clean', role: 'JS', person: false, openingFen: 38_420_055n, perDay: 8 },
  { part: 'clean', role: 'JS', person: true, openingFen: 1_206_800n, perDay: 4 },
  { part: 'timing', role: 'JS', person: false, openingFen: 9_914_030n, perDay: 6 },
  { part: 'lines', role: 'JS', person: false, openingFen: 22_751_966n, perDay: 7 },
  { part: 'facts', role: 'JS', person: false, openingFen: 6_090_000n, perDay: 5 },
  { part: 'clean', role: 'JS', person: true, openingFen: 0n, perDay: 3 },
  { part: 'silent', role: 'JS', person: false, openingFen: 0n, perDay: 0 },
];

export function demoAccounts(random: Seeded): DemoAccount[] {
  return PLANS.map((plan, place) => demoAccount(random, plan, place + 1));
}

function demoAccount(random: Seeded, plan: Plan, no: number): DemoAccount {
  const accountNo = `31000000${String(no).padStart(2, '0')}`;
  const name = plan.person ? personName(random) : companyName(random);
  const subjectId = plan.person ? identityNo(random) : licenseNo(random);
  const bindCard = {
    bankAccountNo: cardNo(random),
    bankAccountName: name,
    mobile: maskedMobile(random),
    instBranchCode: bankCode(random),
    accountType: plan.person ? ('P' as const) : ('E' as const),
  };
  const { part, openingFen, perDay, role } = plan;
  return {
    accountNo,
    part,
    openingFen,
    perDay,
    subjectId,
    seed: {
      accountNo,
      eleAcctNo: `EA${accountNo}`,
      name,
      role,
      subjectId,
      bindCard,
      autoSettle: role === 'JS',
      balanceFen: openingFen,
      openReqNo: `RQ${accountNo}`,
    },
  };
}
