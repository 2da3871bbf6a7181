/**
 * What each of the 17 endpoints answers, member by member, as the platform writes it: `amount` and not `amountFen`.
 * What the client makes of it says `contract.ts`. An answer may hold more than the document names (U46).
 */
import type { EndpointName } from './contract.ts';
import { jsonTextSchema } from './requests/json-text.ts';
import type { Schema } from './requests/checks.ts';

export interface AnswerMember {
  name: string;
  schema: Schema;
  /** The requirements it answers: `DIV-23`. */
  requirement: string;
  /** It may be left out. */
  isOptional?: true;
}

export interface AnswerTable {
  /** Under which name it is described once: several endpoints answer alike. */
  name: string;
  members: readonly AnswerMember[];
}

const TEXT: Schema = { type: 'string' };
const FEN: Schema = { type: 'integer', minimum: 0, description: 'whole fen' };
const COUNT: Schema = { type: 'integer', minimum: 0 };

function always(schema: Schema, requirement: string, ...names: readonly string[]): AnswerMember[] {
  return names.map((name) => ({ name, schema, requirement }));
}

function sometimes(schema: Schema, requirement: string, ...names: readonly string[]): AnswerMember[] {
  return always(schema, requirement, ...names).map((one) => ({ ...one, isOptional: true }));
}

/** The schema of an object with these members, each with the requirements it answers. */
export function answerSchema(members: readonly AnswerMember[]): Schema {
  const properties = members.map(({ name, schema, requirement }): [string, Schema] => {
    const said = schema['description'];
    const description = typeof said === 'string' ? `${said} (${requirement})` : requirement;
    return [name, { ...schema, description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: members.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name),
  };
}

const FEE_TYPE = always(
  {
    type: 'string',
    description: 'ORDER: the fee is taken out of the amount; ACCOUNT: from an account beside it',
  },
  'DIV-27',
  'feeType',
);
const STATE_NUMBER: Schema = {
  type: 'integer',
  description: '1, 2, 3, 5, 7, 8, 11 or 100; others may come',
};
const ACCOUNT_STATE: Schema = {
  type: 'string',
  description: '0 closed, 1 activated, 2 pending activation; others may come',
};

const SMS: AnswerTable = {
  name: 'SmsSent',
  members: [
    ...always(TEXT, 'SMS-05', 'smsFlowNo'),
    ...sometimes({ type: 'string', description: 'masked' }, 'SMS-05', 'mobile'),
    ...sometimes(TEXT, 'SMS-06', 'sceneType'),
  ],
};

/** Of openings and changes: all but the state depends on how far they are. */
const OPENING: AnswerTable = {
  name: 'OpeningState',
  members: [
    ...always(STATE_NUMBER, 'OPN-18, CHG-19', 'state'),
    ...sometimes(TEXT, 'OPN-11, OPN-24', 'reqNo', 'outReqNo'),
    ...sometimes({ type: 'string', description: 'why it was rejected' }, 'OPN-24, CHG-18', 'remark'),
    ...sometimes(TEXT, 'OPN-24', 'accountNo', 'eleAcctNo'),
    ...sometimes(ACCOUNT_STATE, 'OPN-24, ACC-04', 'accountState'),
    ...sometimes(TEXT, 'OPN-25', 'recordId'),
  ],
};

const BANK_CARD = answerSchema([
  ...always(TEXT, 'ACC-05', 'bankAccountNo', 'bankAccountName', 'mobile', 'instBranchCode'),
  ...always({ type: 'string', description: 'E corporate, P personal' }, 'ACC-05', 'accountType'),
  ...always({ type: 'string', description: 'IN or OUT' }, 'ACC-05', 'whiteType'),
]);

const ACCOUNT: AnswerTable = {
  name: 'AccountInfo',
  members: [
    ...always(TEXT, 'ACC-01', 'accountNo', 'eleAcctNo', 'eleAcctName'),
    ...always(ACCOUNT_STATE, 'ACC-04', 'accountState'),
    ...sometimes(FEN, 'ACC-02, ACC-03', 'balance', 'frozen', 'availableBalance'),
    ...sometimes(BANK_CARD, 'ACC-05', 'bindAcctInfo'),
    ...sometimes({ type: 'array', items: BANK_CARD }, 'ACC-06', 'whiteAcctList'),
    ...sometimes(TEXT, 'ACC-07', 'openReqNo'),
    ...sometimes(TEXT, 'ACC-01', 'remark'),
  ],
};

const TRANSFER_ORDER: readonly AnswerMember[] = [
  ...always(TEXT, 'DIV-24', 'outOrderNo', 'orderNo', 'body'),
  ...always(FEN, 'DIV-24, ENV-24', 'amount', 'realAmount'),
  ...sometimes({ ...FEN, description: 'whole fen, under either name' }, 'DIV-24', 'mchFee', 'fee'),
  ...FEE_TYPE,
  ...sometimes(
    { type: 'string', description: 'the payer, under either name' },
    'DIV-25',
    'payerAcctNo',
    'payeyAcctNo',
  ),
  ...always(TEXT, 'DIV-24', 'payeeAcctNo'),
  ...always({ type: 'string', description: 'a word; only known ones end an order' }, 'DIV-26', 'state'),
  ...sometimes({ type: ['string', 'null'] }, 'DIV-24', 'settleState', 'settleRemark'),
  ...sometimes(FEN, 'REF-09', 'refundAmount'),
  ...always(TEXT, 'DIV-24', 'extParam', 'note'),
];

const BATCH: AnswerTable = {
  name: 'TransferBatch',
  members: [
    ...always(TEXT, 'DIV-23', 'outBatchNo', 'batchNo'),
    ...always({ type: 'string', description: 'a word; only known ones end a batch' }, 'DIV-26', 'state'),
    ...always(
      jsonTextSchema({ type: 'array', items: answerSchema(TRANSFER_ORDER) }),
      'DIV-23, ENV-26',
      'orderList',
    ),
    ...sometimes(TEXT, 'DIV-23', 'extParam'),
    ...always(TEXT, 'DIV-23', 'note'),
  ],
};

const WITHDRAWAL_MEMBERS: readonly AnswerMember[] = [
  ...always(TEXT, 'WDR-09', 'outOrderNo', 'orderNo', 'acctNo'),
  ...always({ type: 'string', description: 'a word; only known ones end it' }, 'WDR-10', 'state'),
  ...always(FEN, 'WDR-09', 'amount', 'realAmount'),
  ...sometimes({ ...FEN, description: 'whole fen, under either name' }, 'WDR-09', 'mchFee', 'fee'),
  ...FEE_TYPE,
  ...always(TEXT, 'WDR-09', 'note'),
];

const WITHDRAWAL: AnswerTable = { name: 'Withdrawal', members: WITHDRAWAL_MEMBERS };

const SETTLEMENT: AnswerTable = {
  name: 'Settlement',
  members: [...WITHDRAWAL_MEMBERS, ...always(TEXT, 'STL-10', 'payerName', 'payerBankAcctNo')],
};

const DEPOSIT: readonly AnswerMember[] = [
  ...always(TEXT, 'DEP-07', 'orderNo'),
  ...always(FEN, 'DEP-07, ENV-24', 'amount'),
  ...sometimes({ ...FEN, description: 'whole fen, under either name' }, 'DEP-07', 'fee', 'mchFee'),
  ...always(FEN, 'DEP-07', 'realAmount'),
  ...FEE_TYPE,
  ...sometimes(
    { type: 'string', description: 'the payer, under either name' },
    'DEP-07',
    'payerAcctNo',
    'payeyAcctNo',
  ),
  ...always(TEXT, 'DEP-07', 'payerName', 'payerBankNo', 'payeeAcctNo', 'payeeName', 'payeeBankNo', 'remark'),
  ...always(TEXT, 'DEP-07, DEP-09', 'errCode'),
  ...always(
    { type: 'string', description: 'yyyy-MM-dd HH:mm:ss in the time of the service' },
    'DEP-07',
    'depositTime',
  ),
];

const DEPOSIT_PAGE: AnswerTable = {
  name: 'DepositPage',
  members: [
    ...always(COUNT, 'DEP-06', 'total'),
    ...sometimes(COUNT, 'DEP-06', 'page', 'pageSize'),
    ...always({ type: 'array', items: answerSchema(DEPOSIT) }, 'DEP-06', 'depositList'),
  ],
};

const FILE = answerSchema(
  always(
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/pdf' },
    'VCH-06',
    'file',
  ),
);

const FILES: AnswerTable = {
  name: 'VoucherFiles',
  members: always({ type: 'array', items: FILE }, 'VCH-06', 'fileList'),
};

export const ANSWER_MEMBERS: Readonly<Record<EndpointName, AnswerTable>> = {
  'acct/sendMsg': SMS,
  'acct/addApply': OPENING,
  'acct/auditApply': OPENING,
  'acct/auditApplyResult': OPENING,
  'acct/reviseApply': OPENING,
  'acct/changeApply': OPENING,
  'acct/changeConfirm': OPENING,
  'acct/changeApplyResult': OPENING,
  'acct/queryInfo': ACCOUNT,
  'division/pay': BATCH,
  'division/query': BATCH,
  'division/refund': BATCH,
  'account/withdraw': WITHDRAWAL,
  'account/queryWithdraw': WITHDRAWAL,
  'query/deposit': DEPOSIT_PAGE,
  'get/transFiles': FILES,
  'order/settle': SETTLEMENT,
};
