/**
 * What one night of trade leaves under each truth. Without fees beside, the payer ends at 1,015,000 and the payee at
 * 997,000. Beside: deposit 100, transfer 30, withdrawals 20 and 7. Inside: 50 of T2, which is the gap between its
 * amount and what was settled.
 */
import type { Profile } from '../../../src/core/profile/profile.ts';
import { FEES, PAYEE, PAYER, WITH_SETTLE_FEE, profileOf } from './calibrate-world.ts';
import type { Held } from './calibrate-world.ts';

export const CASES: readonly {
  name: string;
  /** Default: the defaults. */
  assumed?: Profile;
  truth: Held;
  accounts: readonly string[];
  all: readonly string[];
}[] = [
  {
    name: 'the profile is right',
    truth: { payer: 1_014_850n, payee: 996_993n },
    accounts: [],
    all: [],
  },
  {
    name: 'U35: the payee bears the fee of transfers',
    truth: { payer: 1_014_880n, payee: 996_963n },
    accounts: [
      `${PAYER} 30, fees.bearer.transfer=payee, fees.bearer.transfer=external`,
      `${PAYEE} -30, fees.bearer.transfer=payee, fees.settle=ACCOUNT 15`,
    ],
    all: ['fees.bearer.transfer=payee'],
  },
  {
    name: 'U35: nobody here bears the fee of transfers',
    truth: { payer: 1_014_880n, payee: 996_993n },
    accounts: [`${PAYER} 30, fees.bearer.transfer=payee, fees.bearer.transfer=external`],
    all: ['fees.bearer.transfer=external'],
  },
  {
    name: 'U35: an account of its own bears the fee of transfers',
    truth: { payer: 1_014_880n, payee: 996_993n, fees: 999_970n },
    accounts: [
      `${PAYER} 30, fees.bearer.transfer=payee, fees.bearer.transfer=external, fees.bearer.transfer=acct:${FEES}`,
      `${FEES} -30, fees.bearer.transfer=acct:${FEES}`,
    ],
    all: [`fees.bearer.transfer=acct:${FEES}`],
  },
  {
    name: 'U35: the payer bears the fee of transfers, not the fee account that was assumed',
    assumed: profileOf({ fees: { bearer: { transfer: `acct:${FEES}` } } }),
    truth: { payer: 1_014_850n, payee: 996_993n },
    accounts: [
      `${PAYER} -30, fees.bearer.transfer=payer, fees.bearer.transfer=self`,
      `${FEES} 30, fees.bearer.transfer=payer, fees.bearer.transfer=payee, fees.bearer.transfer=self, ` +
        'fees.bearer.transfer=external',
    ],
    all: ['fees.bearer.transfer=payer', 'fees.bearer.transfer=self'],
  },
  {
    name: 'U35: nobody here bears the fee of deposits',
    truth: { payer: 1_014_950n, payee: 996_993n },
    accounts: [`${PAYER} 100, fees.bearer.deposit=payer, fees.bearer.deposit=external`],
    all: ['fees.bearer.deposit=payer', 'fees.bearer.deposit=external'],
  },
  {
    name: 'U35: nobody here bears the fee of withdrawals',
    truth: { payer: 1_014_870n, payee: 997_000n },
    accounts: [`${PAYER} 20, fees.bearer.withdraw=external`, `${PAYEE} 7, fees.bearer.withdraw=external`],
    all: ['fees.bearer.withdraw=external'],
  },
  {
    name: 'U35: an account of its own bears the fee of withdrawals',
    truth: { payer: 1_014_870n, payee: 997_000n, fees: 999_973n },
    accounts: [
      `${PAYER} 20, fees.bearer.withdraw=external, fees.bearer.withdraw=acct:${FEES}`,
      `${PAYEE} 7, fees.bearer.withdraw=external, fees.bearer.withdraw=acct:${FEES}`,
      `${FEES} -27, fees.bearer.withdraw=acct:${FEES}`,
    ],
    all: [`fees.bearer.withdraw=acct:${FEES}`],
  },
  {
    name: 'U37, E7: each settlement takes a fee that no answer shows',
    truth: { payer: 1_014_850n, payee: 996_873n },
    accounts: [`${PAYEE} -120, fees.settle=ACCOUNT 60`],
    all: ['fees.settle=ACCOUNT 60'],
  },
  {
    name: 'U37: the fee of settlements is another one than the profile says',
    assumed: WITH_SETTLE_FEE,
    truth: { payer: 1_014_850n, payee: 996_913n },
    accounts: [`${PAYEE} 40, fees.settle=ACCOUNT 40`],
    all: ['fees.settle=ACCOUNT 40'],
  },
  {
    name: 'U37: settlements take no fee, although the profile says so',
    assumed: WITH_SETTLE_FEE,
    truth: { payer: 1_014_850n, payee: 996_993n },
    accounts: [`${PAYEE} 120, fees.bearer.settle=payer, fees.bearer.settle=external, fees.settle=null`],
    all: ['fees.bearer.settle=external', 'fees.settle=null'],
  },
  {
    name: 'U35: the payer bears the fee of settlements',
    assumed: WITH_SETTLE_FEE,
    truth: { payer: 1_014_730n, payee: 996_993n },
    accounts: [
      `${PAYER} -120, fees.bearer.settle=payer`,
      `${PAYEE} 120, fees.bearer.settle=payer, fees.bearer.settle=external, fees.settle=null`,
    ],
    all: ['fees.bearer.settle=payer'],
  },
  {
    name: 'U37: a settlement pays out the amount',
    truth: { payer: 1_014_850n, payee: 996_943n },
    accounts: [`${PAYEE} -50, fees.settle=ACCOUNT 25, settle.amountRule=amount`],
    all: ['fees.settle=ACCOUNT 25', 'settle.amountRule=amount'],
  },
  {
    name: 'two keys are wrong at once: pairs, where no single key helps',
    truth: { payer: 1_014_980n, payee: 996_963n },
    accounts: [
      `${PAYER} 130, fees.bearer.transfer=payee + fees.bearer.deposit=external, ` +
        'fees.bearer.transfer=external + fees.bearer.deposit=external',
      `${PAYEE} -30, fees.bearer.transfer=payee, fees.settle=ACCOUNT 15`,
    ],
    all: ['fees.bearer.transfer=payee + fees.bearer.deposit=external'],
  },
  {
    name: 'U57: interest is explained by nothing',
    truth: { payer: 1_014_850n, payee: 996_993n, fees: 1_001_234n },
    accounts: [`${FEES} 1234`],
    all: [],
  },
];
