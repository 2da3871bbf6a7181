/**
 * Which other value of one profile key, or of two, makes residuals zero: every value is tried on every account,
 * pairs only where no single one helps. Pure arithmetic.
 */
import type { Fen } from '../../core/fen.ts';
import { residualOf, residualUnder } from './hypotheses.ts';
import type { Chain, InflightChoice, Setting } from './hypotheses.ts';
import type { FeeBearer, PostingRules } from '../post/posting-rules.ts';

/** A key of the profile and a value it might have. */
export interface Explanation {
  key: string;
  value: FeeBearer | PostingRules['settleAmount'] | PostingRules['settleFee'] | InflightChoice | boolean;
  /** The second key of a pair. */
  with?: Explanation;
}

interface Hypothesis {
  explanation: Explanation;
  setting: Setting;
  /** Another word for the same, or for what is in force: not tried in pairs. */
  isSynonym: boolean;
}

/** Changes one key of a setting; undefined where there is nothing to change. */
type Change = (setting: Setting, chain: Chain) => Hypothesis | undefined;

interface KeyedChange {
  key: string;
  change: Change;
}

/** What an account explains by bearing what belongs to others. */
interface AttributedFees {
  chain: Chain;
  changes: readonly KeyedChange[];
}

type BearerKey = keyof PostingRules['bearers'];
const BEARER_KEYS: readonly BearerKey[] = ['transfer', 'deposit', 'withdraw', 'settle'];
const BEARERS: readonly FeeBearer[] = ['payer', 'payee', 'self', 'external'];
const MODELS = ['frozen', 'debited'] as const;

/** Words that say the same of a fee (U35); the first of them is tried in pairs. */
const SAME: Readonly<Record<BearerKey, Readonly<Record<string, FeeBearer>>>> = {
  transfer: { self: 'payer' },
  deposit: { self: 'payee', payer: 'external' },
  withdraw: { payer: 'self', payee: 'self' },
  settle: { payee: 'self' },
};

/** An account that bears everybody's fees is short of all of them: only the shortest can be it. */
const FEE_ACCOUNTS_MAX = 10;

/** The accounts that might bear what belongs to others, by their residuals. */
export function likelyFeeAccounts(residuals: ReadonlyMap<string, Fen>): string[] {
  return [...residuals]
    .filter(([, fen]) => fen < 0n)
    .toSorted(([, left], [, right]) => (left < right ? -1 : left > right ? 1 : 0))
    .slice(0, FEE_ACCOUNTS_MAX)
    .map(([accountNo]) => accountNo);
}

export class HypothesisSearch {
  readonly #inForce: Setting;
  readonly #chains: readonly Chain[];
  readonly #off: ReadonlySet<Chain>;
  readonly #ordinary: readonly KeyedChange[];
  readonly #singles: readonly KeyedChange[];
  readonly #pairs: readonly (readonly [KeyedChange, KeyedChange])[];

  constructor(inForce: Setting, chains: readonly Chain[], feeAccounts: readonly string[]) {
    this.#inForce = inForce;
    this.#chains = chains;
    this.#off = new Set(chains.filter((chain) => this.residual(chain) !== 0n));
    this.#ordinary = ordinaryChanges(inForce);
    const borne = [...this.#off]
      .filter(({ accountNo }) => feeAccounts.includes(accountNo))
      .map((chain) => ({ chain, changes: borneBy(chain.accountNo, inForce) }));
    const anyOther = [...this.#ordinary, ...borne.flatMap(({ changes }) => changes)];
    this.#singles = [...this.#ordinary, ...this.#suggested(borne, [undefined])];
    this.#pairs = pairsOf([...this.#ordinary, ...this.#suggested(borne, anyOther)]);
  }

  /** Fee accounts whose own residual asks for it, and for which no general word says the same. */
  #suggested(borne: readonly AttributedFees[], others: readonly (KeyedChange | undefined)[]): KeyedChange[] {
    return borne.flatMap(({ chain, changes }) =>
      changes.filter((change) =>
        others.some((other) => {
          const explains = (own: KeyedChange): boolean =>
            other?.key !== own.key &&
            this.#explains(other === undefined ? [own] : inOrder([own, other]), chain) !== undefined;
          const isGeneral = this.#ordinary.some((own) => own.key === change.key && explains(own));
          return explains(change) && !isGeneral;
        }),
      ),
    );
  }

  /** What stays unexplained under the profile in force. */
  residual(chain: Chain): Fen {
    return residualOf(chain, this.#inForce, this.#inForce);
  }

  /** What makes an account's residual zero: single keys, else pairs; nothing for an account without one. */
  explain(chain: Chain): Explanation[] {
    if (!this.#off.has(chain)) return [];
    const singles = this.#singles.map((change) => this.#explains([change], chain));
    const found = singles.filter((one) => one !== undefined);
    if (found.length > 0) return found;
    return this.#pairs.map((pair) => this.#explains(pair, chain)).filter((one) => one !== undefined);
  }

  /** What makes every residual zero at once. */
  explainAll(): Explanation[] {
    if (this.#off.size === 0) return [];
    const singles = this.#singles.map((change) => this.#explainsAll([change]));
    const found = singles.filter((one) => one !== undefined);
    if (found.length > 0) return found;
    return this.#pairs.map((pair) => this.#explainsAll(pair)).filter((one) => one !== undefined);
  }

  #explains(changes: readonly KeyedChange[], chain: Chain): Explanation | undefined {
    const reached = this.#reach(changes, chain);
    return reached && residualOf(chain, reached.setting, this.#inForce) === 0n
      ? reached.explanation
      : undefined;
  }

  /** A fee that is reckoned from one account must fit all others. */
  #explainsAll(changes: readonly KeyedChange[]): Explanation | undefined {
    for (const chain of this.#off) {
      const reached = this.#reach(changes, chain);
      if (reached === undefined) continue;
      const fits = this.#chains.every((each) => residualOf(each, reached.setting, this.#inForce) === 0n);
      return fits ? reached.explanation : undefined;
    }
    return undefined;
  }

  #reach(
    changes: readonly KeyedChange[],
    chain: Chain,
  ): { setting: Setting; explanation: Explanation } | undefined {
    let setting = this.#inForce;
    const explanations: Explanation[] = [];
    for (const { change } of changes) {
      const hypothesis = change(setting, chain);
      if (hypothesis === undefined || (changes.length > 1 && hypothesis.isSynonym)) return undefined;
      ({ setting } = hypothesis);
      explanations.push(hypothesis.explanation);
    }
    const [first, second] = explanations;
    if (first === undefined) throw new Error('Bug: a hypothesis that changes nothing');
    return { setting, explanation: second === undefined ? first : { ...first, with: second } };
  }
}

/** A settlement fee comes last, because it is reckoned from what the other key leaves. */
function inOrder(changes: readonly KeyedChange[]): KeyedChange[] {
  const isFee = ({ key }: KeyedChange): boolean => key === 'fees.settle';
  return [...changes.filter((change) => !isFee(change)), ...changes.filter(isFee)];
}

/** Pairs of different keys. */
function pairsOf(changes: readonly KeyedChange[]): (readonly [KeyedChange, KeyedChange])[] {
  const all = inOrder(changes);
  return all.flatMap((first, at) =>
    all.slice(at + 1).flatMap((second) => (first.key === second.key ? [] : [[first, second] as const])),
  );
}

/** Every value of every key that does not depend on a particular account. */
function ordinaryChanges({ rules, inflight }: Setting): KeyedChange[] {
  const bearers = BEARER_KEYS.flatMap((key) =>
    BEARERS.filter((bearer) => bearer !== rules.bearers[key]).map((bearer) =>
      bearerChange(key, bearer, rules),
    ),
  );
  const amountRule = rules.settleAmount === 'amount' ? 'realAmount' : 'amount';
  const models = MODELS.filter((model) => model !== inflight);
  return [
    ...bearers,
    { key: 'fees.settle', change: withSettleFee },
    ...(rules.settleFee === null ? [] : [ruleChange('fees.settle', null, { settleFee: null })]),
    ruleChange('settle.amountRule', amountRule, { settleAmount: amountRule }),
    ruleChange('refund.feeReturned', !rules.feeReturned, { feeReturned: !rules.feeReturned }),
    ...models.map((model): KeyedChange => ({
      key: 'inflight.model',
      change: (setting) => ({
        explanation: { key: 'inflight.model', value: model },
        setting: { ...setting, inflight: model },
        isSynonym: false,
      }),
    })),
  ];
}

function borneBy(accountNo: string, { rules }: Setting): KeyedChange[] {
  const bearer: FeeBearer = `acct:${accountNo}`;
  return BEARER_KEYS.filter((key) => rules.bearers[key] !== bearer).map((key) =>
    bearerChange(key, bearer, rules),
  );
}

function bearerChange(key: BearerKey, bearer: FeeBearer, inForce: PostingRules): KeyedChange {
  const meant = (word: FeeBearer): FeeBearer => SAME[key][word] ?? word;
  const isSynonym = meant(bearer) !== bearer || bearer === meant(inForce.bearers[key]);
  const name = `fees.bearer.${key}`;
  return {
    key: name,
    change: ({ rules, inflight }) => ({
      explanation: { key: name, value: bearer },
      setting: { inflight, rules: { ...rules, bearers: { ...rules.bearers, [key]: bearer } } },
      isSynonym,
    }),
  };
}

function ruleChange(key: string, value: Explanation['value'], change: Partial<PostingRules>): KeyedChange {
  return {
    key,
    change: ({ rules, inflight }) => ({
      explanation: { key, value },
      setting: { inflight, rules: { ...rules, ...change } },
      isSynonym: false,
    }),
  };
}

/** The fee beside each settlement that would make up for what is left, where it comes out even (U37, E7). */
const withSettleFee: Change = ({ rules, inflight }, chain) => {
  for (const model of inflight === 'auto' ? MODELS : [inflight]) {
    const residual = (feeFen: Fen): Fen => {
      const settleFee = { feeType: 'ACCOUNT', feeFen } as const;
      return residualUnder(chain, { rules: { ...rules, settleFee }, inflight, model });
    };
    const restFen = residual(0n);
    const perFen = residual(1n) - restFen;
    if (perFen === 0n || restFen % perFen !== 0n || restFen / perFen >= 0n) continue;
    const settleFee = { feeType: 'ACCOUNT', feeFen: -restFen / perFen } as const;
    return {
      explanation: { key: 'fees.settle', value: settleFee },
      setting: { inflight, rules: { ...rules, settleFee } },
      isSynonym: false,
    };
  }
  return undefined;
};
