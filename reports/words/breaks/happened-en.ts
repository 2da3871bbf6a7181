/** What happened, in English. */
import { bracketed } from './happened.ts';
import type { Happened, HappenedWords } from './happened.ts';

const MARKS = { open: ' (', between: ', ', close: ')' };
/** Number, counterparty and time of a record. */
const record = ({ number, counterparty, at }: Happened): string =>
  bracketed([number, counterparty, at], MARKS);
const entry = ({ number, entry: entryId, counterparty, at }: Happened): string =>
  bracketed([entryId, number, counterparty, at], MARKS);
const numbers = ({ number, entry: entryId }: Happened): string => bracketed([number, entryId], MARKS);
const both = (facts: Happened): string =>
  `platform ${facts.platform}, ledger ${facts.ledger}${numbers(facts)}`;
const order = (facts: Happened): string => `order${record(facts)}`;
const platformHas = (facts: Happened): string =>
  `the platform ${facts.isReceived ? 'received' : 'paid'} ${facts.size}${record(facts)}`;
const ledgerHas = (facts: Happened): string =>
  `the ledger has ${facts.size} ${facts.isReceived ? 'received' : 'paid'}${entry(facts)}`;
const oneSide = (facts: Happened): string => (facts.platform === '' ? ledgerHas(facts) : platformHas(facts));

export const happenedEn: HappenedWords = {
  tell: {
    platform_only: (facts) => `${platformHas(facts)}, the ledger has nothing`,
    ledger_only: (facts) => `${ledgerHas(facts)}, the platform has nothing`,
    amount: (facts) => `${both(facts)}: amounts differ`,
    fee: (facts) =>
      `${both(facts)}: a fee of ${facts.difference} is ${facts.isPlatformMore ? 'booked too much' : 'not booked'}`,
    state: (facts) =>
      facts.ledger === ''
        ? `on the platform ${facts.state}${record(facts)}`
        : `${ledgerHas(facts)}, on the platform: ${facts.state}`,
    duplicate: (facts) =>
      `platform once ${facts.platform}, ledger ${facts.ledger} together${numbers(facts)}: probably booked twice`,
    account: (facts) => `${oneSide(facts)}, wrong account`,
    ambiguous: (facts) => `${oneSide(facts)}, one of several equal amounts that cannot be told apart`,
    fee_invariant: (facts) =>
      `amount, fee and actual amount of the platform contradict each other${record(facts)}`,
    batch_children: (facts) => `the transfer batch and its orders differ${record(facts)}`,
    frozen: (facts) =>
      `frozen on the platform ${facts.platform}, held by orders on their way ${facts.ledger === '' ? '0.00' : facts.ledger}`,
    unexplained: (facts) =>
      `the platform's balance is ${facts.difference} ${facts.isPlatformMore ? 'more' : 'less'} than any record explains`,
    opening: (facts) =>
      `the openings differ by ${facts.difference} (the ${facts.isPlatformMore ? 'platform' : 'ledger'} has more)`,
    record_changed: (facts) =>
      `the platform changed a record that was final${record(facts)}, now ${facts.platform}`,
    record_vanished: (facts) =>
      `the platform lists this record no more${record(facts)}, it was ${facts.platform}`,
    state_regression: (facts) => `${order(facts)} had its outcome, the platform now says: ${facts.state}`,
    bad_record: (facts) => `the platform's record cannot be read and is not counted${record(facts)}`,
    period_changed: (facts) =>
      facts.number === ''
        ? `what an earlier period rested on has changed by ${facts.difference}`
        : `${facts.platform === '' ? 'the ledger' : "the platform's records"} of ${facts.number}, which was signed off, changed by ${facts.difference} since: sign it anew`,
    empty_suspect: () => 'the platform lists nothing, against the ledger or the balance',
    settle_failed: (facts) =>
      `the automatic withdrawal failed${record(facts)}, ${facts.platform} stay on the payee's account`,
    unknown_state: (facts) => `${order(facts)} has a state that the platform's document does not know`,
    voucher_missing: (facts) => `the platform has not given the voucher yet${record(facts)}`,
    in_flight: (facts) => `${order(facts)} is on its way`,
    pending: (facts) => `${oneSide(facts)}, the other side is not done yet`,
    late: (facts) => `${oneSide(facts)}, on the other side after the cut-off`,
    unknown_not_found: (facts) => `registered, not found on the platform${record(facts)}`,
  },
  withRemark: (told, remark) => `${told}; ${remark}`,
};
