/** The profile's keys of opening, change, SMS codes and pushes, and the switches of the emulator. */
import { z } from 'zod';

import { group, leaf, whole, word, words } from './profile-leaf.ts';

const reqNo = z.enum(['channelCode', 'reqNo', 'openReqNo']);
const smsOutReqNo = z.enum(['application', 'new']);

const sms = group({
  reqNo: group({
    OPEN: leaf('U7', reqNo.default('reqNo'), 'reqNo of the SMS code that confirms an opening'),
    MODIFY: leaf('U7', reqNo.default('reqNo'), 'reqNo of the SMS code that confirms a change'),
    WHITE_SET: leaf('U7', reqNo.default('channelCode'), 'reqNo of the SMS code for the whitelist'),
    REFUND: leaf('U7', reqNo.default('openReqNo'), 'reqNo of the SMS code that confirms a refund'),
  }),
  outReqNo: group({
    OPEN: leaf('U8', smsOutReqNo.default('application'), 'outReqNo of the SMS code of an opening'),
    MODIFY: leaf('U8', smsOutReqNo.default('application'), 'outReqNo of the SMS code of a change'),
    WHITE_SET: leaf('U8', smsOutReqNo.default('new'), 'outReqNo of the SMS code for the whitelist'),
    REFUND: leaf('U8', smsOutReqNo.default('new'), 'outReqNo of the SMS code of a refund'),
  }),
  ttlSeconds: leaf('U55', whole(1, 3_600).default(60), 'Life of an SMS code'),
});

const opening = group({
  finalStates: leaf('U11', z.array(whole(0, 999)).default([2, 3, 8]), 'Opening states that are final'),
  recordIdPaths: leaf('U12', words().min(1).default(['recordId']), 'Members in which recordId is looked for'),
  entTypes: leaf(
    'U14',
    z.array(z.enum(['01', '02', '03'])).default(['02', '03']),
    'entType values an opening accepts; the client warns of others, the emulator refuses them',
  ),
});

const subject = group({
  agentNameField: leaf('U15', word().default('agentName'), "Member that carries the agent's name"),
  requireLicense: leaf('U15', z.boolean().default(true), 'Licence members are required of an enterprise'),
  notReusedFlag: leaf('U15', word().default('0'), 'The value that says no in the three flags of reuse'),
});

const change = group({
  strict: leaf(
    'U16',
    z.boolean().default(false),
    'Emulator: eleAcctType and address are required in a change',
  ),
});

const notify = group({
  ackBody: leaf('U39', word().default('success'), 'Body that acknowledges a push'),
  schedule: leaf(
    'U39',
    z.array(whole(0, 604_800)).min(1).max(50).default([0, 30, 60, 90, 120, 150]),
    'Emulator: seconds after the event at which a push is tried, until it is acknowledged',
  ),
  timeout: leaf('U39', whole(1, 300).default(20), 'Emulator: seconds a push waits for its answer'),
  format: leaf(
    'U40',
    z.enum(['envelope', 'flat']).default('envelope'),
    'Emulator: a push is a signed envelope, or flat JSON without signature',
  ),
  trust: leaf('U53', z.literal(false).default(false), 'A push is a hint; only a query is believed'),
  changeUrl: leaf(
    'U41',
    z
      .url({ protocol: /^https?$/, error: 'must be null or a URL' })
      .nullable()
      .default(null),
    'Emulator: where changes are pushed to; null: the notifyUrl of the opening',
  ),
});

/** Switches for what has another, cautious value on the job's side, or none there. */
const emulator = group({
  reqId: group({
    scope: leaf('U17', z.enum(['credential', 'global']).default('credential'), 'Where a reqId is unique'),
    consumeOnReject: leaf(
      'U17',
      z.enum(['verified', 'always', 'never']).default('verified'),
      'A refused request uses up its reqId: once its signature was right, always, never',
    ),
  }),
  strictTypes: leaf('U28', z.boolean().default(false), 'Only the declared JSON types are accepted'),
  duplicate: leaf('U26', z.enum(['refuse', 'returnFirst']).default('refuse'), 'A number that is used again'),
  signAnswers: leaf('U4', z.boolean().default(true), 'Answers carry a signature'),
  addApplyState: leaf('U10', z.literal([5, 7]).default(5), 'State that addApply answers'),
  reviseApplyState: leaf('U13', z.literal([5, 7]).default(7), 'State that reviseApply answers'),
  queryInfoByReqNo: leaf('U22', z.boolean().default(true), 'acct/queryInfo takes a reqNo as well'),
  pendingMayOperate: leaf('U21', z.boolean().default(false), 'An account pending activation may move money'),
  inflightModel: leaf(
    'U23',
    z.enum(['frozen', 'debited']).default('frozen'),
    'What an open order does to the balance',
  ),
  depositAccountField: leaf(
    'U24',
    z.enum(['accountNo', 'eleAcctNo', 'both']).default('accountNo'),
    'Which number of an account the deposit listing knows',
  ),
  endInclusive: leaf(
    'U44',
    z.boolean().default(true),
    'endDate of the deposit listing is part of the answer',
  ),
  depositOrder: leaf(
    'U45',
    z.enum(['newest', 'oldest', 'unstable']).default('newest'),
    'Order of the deposit listing',
  ),
  batch100Fields: leaf(
    'U30',
    words().default(['extParam']),
    'Members of a batch refused above 100 characters',
  ),
  feeName: leaf('U48', z.enum(['fee', 'mchFee']).default('fee'), 'Spelling of the fee of a withdrawal'),
  paymentPassword: leaf('U56', z.boolean().default(true), 'The payment password is set'),
  passwordFree: leaf('U56', z.boolean().default(true), 'Withdrawals need no SMS code'),
});

export const setupKeys = { sms, opening, subject, change, notify, emulator };
