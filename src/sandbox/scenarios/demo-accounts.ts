/** The demo group's registry accounts: three that initiate transfers and thirteen that receive. */
import type { Fen } from '../../core/fen.ts';
import type { Seeded } from '../world/random.ts';
import type { AccountSeed } from '../world/seed-schema.ts';
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
  | 'silent'
  /** Pays the transfers that go wrong, on the platform or in the books. */
  | 'payer'
  /** Pays transfers that are still under way. */
  | 'transit'
  /** Withdrawals that go wrong, and money that is frozen. */
  | 'withdrawals';

/** How the books of an account name orders and show their fees. */
export interface Bookkeeping {
  /** By the company's own number or the platform's. */
  names: 'own' | 'platform';
  /** In one amount with what they belong to, or as entries of their own. */
  netsFees: boolean;
}

export interface DemoAccount {
  accountNo: string;
  part: DemoRole;
  openingFen: Fen;
  subjectId: string;
  seed: AccountSeed & { eleAcctNo: string; name: string; role: 'FQ' | 'JS'; autoSettle: boolean };
  /** Deposits on an ordinary weekday. */
  perDay: number;
  /** Sends a transfer batch every so many days; 0: never. */
  batchEvery: number;
  /** Withdraws every so many days; 0: never. */
  withdrawEvery: number;
  books: Bookkeeping;
}

interface Plan {
  part: DemoRole;
  /** Several times what an account pays out in the month, so that no order of any seed lacks money. */
  openingFen: Fen;
  /** FQ initiates transfers; by default an account receives (JS). */
  role?: 'FQ';
  /** By default a company's. */
  holder?: 'person';
  perDay?: number;
  batchEvery?: number;
  withdrawEvery?: number;
  autoSettle?: true;
  books?: Bookkeeping;
}

const PLAIN: Bookkeeping = { names: 'own', netsFees: false };
const NETTED: Bookkeeping = { names: 'own', netsFees: true };
const BY_PLATFORM: Bookkeeping = { names: 'platform', netsFees: false };
const NETTED_BY_PLATFORM: Bookkeeping = { names: 'platform', netsFees: true };

const PLANS: readonly Plan[] = [
  { part: 'clean', openingFen: 125_000_000n, role: 'FQ', perDay: 9, batchEvery: 1 },
  { part: 'clean', openingFen: 38_420_055n, perDay: 8, withdrawEvery: 5, books: BY_PLATFORM },
  { part: 'clean', openingFen: 1_206_800n, holder: 'person', perDay: 4, autoSettle: true, books: NETTED },
  { part: 'timing', openingFen: 29_914_030n, perDay: 6, withdrawEvery: 7, books: NETTED_BY_PLATFORM },
  { part: 'lines', openingFen: 22_751_966n, perDay: 7 },
  { part: 'facts', openingFen: 6_090_000n, perDay: 5, autoSettle: true },
  { part: 'clean', openingFen: 0n, holder: 'person', perDay: 3, autoSettle: true, books: BY_PLATFORM },
  { part: 'silent', openingFen: 0n },
  { part: 'payer', openingFen: 60_000_000n, role: 'FQ', batchEvery: 2 },
  { part: 'transit', openingFen: 45_500_000n, role: 'FQ', batchEvery: 3, books: NETTED },
  { part: 'withdrawals', openingFen: 33_700_000n, perDay: 2, withdrawEvery: 4 },
  { part: 'clean', openingFen: 812_345n, autoSettle: true, books: NETTED },
  { part: 'clean', openingFen: 0n, holder: 'person', autoSettle: true },
  { part: 'clean', openingFen: 24_004_000n, perDay: 1, withdrawEvery: 6, books: NETTED_BY_PLATFORM },
  { part: 'clean', openingFen: 2_150_300n, holder: 'person', perDay: 2 },
  { part: 'clean', openingFen: 7_730_060n, perDay: 1, autoSettle: true, books: BY_PLATFORM },
];

export function demoAccounts(random: Seeded): DemoAccount[] {
  const names = new Set<string>();
  return PLANS.map((plan, place) => demoAccount(random, plan, { no: place + 1, names }));
}

/** @param of.names those that are taken: no two holders are called the same */
function demoAccount(random: Seeded, plan: Plan, of: { no: number; names: Set<string> }): DemoAccount {
  const accountNo = `31000000${String(of.no).padStart(2, '0')}`;
  const isPerson = plan.holder === 'person';
  let name: string;
  do name = isPerson ? personName(random) : companyName(random);
  while (of.names.has(name));
  of.names.add(name);
  const subjectId = isPerson ? identityNo(random) : licenseNo(random);
  const bindCard = {
    bankAccountNo: cardNo(random),
    bankAccountName: name,
    mobile: maskedMobile(random),
    instBranchCode: bankCode(random),
    accountType: isPerson ? ('P' as const) : ('E' as const),
  };
  const {
    part,
    openingFen,
    perDay = 0,
    role = 'JS',
    batchEvery = 0,
    withdrawEvery = 0,
    books = PLAIN,
  } = plan;
  return {
    accountNo,
    part,
    openingFen,
    perDay,
    batchEvery,
    withdrawEvery,
    books,
    subjectId,
    seed: {
      accountNo,
      eleAcctNo: `EA${accountNo}`,
      name,
      role,
      subjectId,
      bindCard,
      autoSettle: plan.autoSettle ?? false,
      balanceFen: openingFen,
      openReqNo: `RQ${accountNo}`,
    },
  };
}
