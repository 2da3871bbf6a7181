/** The open questions of the service document, and how the sandbox plays each; docs/ shows them. */

export interface OpenQuestion {
  question: string;
  byDefault: string;
  /** A switch, a key of the profile (with a dot), a fault, or a member of a control path. */
  otherwise: string;
}

export const OPEN_QUESTIONS: Readonly<Record<string, OpenQuestion>> = {
  U1: {
    question: "name of the secret's pair",
    byDefault: '`appSecret`, in API Key mode `apiSecret` too, on every path',
    otherwise: '`secretNames`',
  },
  U2: {
    question: 'case of MD5, empty values, `sign`',
    byDefault: 'either case is taken, upper is sent; empty values and `sign` are not signed',
    otherwise: '`md5Case`, `signing.dropEmpty`, `signing.exclude`',
  },
  U3: {
    question: 'keys and hash of RSA2',
    byDefault: 'PKCS#1 v1.5, SHA-256, 2,048 bits, Base64',
    otherwise: 'none',
  },
  U4: {
    question: 'what proves an answer',
    byDefault: 'all its non-empty members but `sign`; refusals are signed once it is known who asks',
    otherwise: '`signAnswers`, `responseSignFields`, fault `omit_sign`',
  },
  U5: {
    question: 'both credentials, members beyond the list',
    byDefault: '`apiKey` decides; only the listed members are signed',
    otherwise: '`signing.requestFields`',
  },
  U6: { question: '`apiKey` or `APIkey` for vouchers', byDefault: 'both', otherwise: '`voucherKeyNames`' },
  U7: {
    question: '`reqNo` of `acct/sendMsg`',
    byDefault: 'the channel code, or any number of an opening or change',
    otherwise: '`smsReqNo`',
  },
  U8: {
    question: '`outReqNo` of a code; which payee it reaches',
    byDefault: 'may come again; a code is for one payee, one asked for with the channel code for any',
    otherwise: '`smsOutReqNoOnce`',
  },
  U9: {
    question: 'scenes of codes',
    byDefault:
      'all four are taken, `REFUND` is echoed; no call asks for a code of `WHITE_SET`, a withdrawal takes one of any scene',
    otherwise: '`smsRefundSceneEchoed`',
  },
  U10: {
    question: '5 or 7 after `acct/addApply`',
    byDefault: '5',
    otherwise: '`addApplyState`, `firstState` of `POST /control/decisions`',
  },
  U11: {
    question: 'further opening states, value 2',
    byDefault: '2 is opened; 2, 3 and 8 end it, any other is under review',
    otherwise: '`states` of `POST /control/decisions`: any number',
  },
  U12: {
    question: 'the member that carries recordId',
    byDefault: '`recordId`',
    otherwise: '`recordIdName`, `opening.recordIdPaths`',
  },
  U13: {
    question: '`outReqNo` of `acct/auditApplyResult`; 7 or 5 after `acct/reviseApply`',
    byDefault: 'not needed; 7',
    otherwise: '`resultNeedsOutReqNo`, `reviseApplyState`',
  },
  U14: {
    question: 'a legal-person enterprise at opening',
    byDefault: 'refused',
    otherwise: '`openingEntTypes`',
  },
  U15: {
    question: 'gaps of SubjectInfo',
    byDefault:
      'licence needed, flag `0`, member `agentName`, 5 uses of an agent; occupation, industry and capital are any text',
    otherwise: '`requireLicense`, `notReusedFlag`, `agentNameField`, `agentUsesMax`',
  },
  U16: {
    question: 'what a change inherits',
    byDefault:
      'all it leaves out; type 1 needs number and address of the licence; type 5 needs nothing; a type may stand twice',
    otherwise: '`changeStrict`, `changeNeedsLicenseNo`',
  },
  U17: {
    question: 'a refused request and its `reqId`',
    byDefault: 'used up once the signature was right; unique for a credential',
    otherwise: '`reqIdConsumedOnRefusal`, `reqIdScope`',
  },
  U18: {
    question: 'time zone',
    byDefault: 'Asia/Shanghai',
    otherwise: '`service.timeZone`, `depositTimeForm`',
  },
  U19: {
    question: 'exactly ten seconds off; drift',
    byDefault: 'accepted; none',
    otherwise: '`reqTimeInclusive`, `POST /control/clock`',
  },
  U20: {
    question: 'order of 5, 7 and 100',
    byDefault: '5, confirmed, 100, 1, result, all at once; 7 is reviewed first, then 5 or 8',
    otherwise:
      '`reviewAfterSigning`, `auditApplyState`, `changeConfirmState`, and how long each lasts: `openingReviewMs`, `openingQueueMs`, `openingProcessMs`, `openingManualMs`, `changeReviewMs`, `changeQueueMs`, `changeProcessMs`',
  },
  U21: {
    question: 'further account states, what 2 may do',
    byDefault: 'a new account is 1; money moves in 1 alone, deposits can be seeded in any',
    otherwise: '`openedAccountState`, `pendingMayOperate`, `activatedAfterMs` of `POST /control/decisions`',
  },
  U22: {
    question: '`acct/queryInfo` by `reqNo`',
    byDefault: "taken too: the opening's",
    otherwise: '`queryInfoByReqNo`',
  },
  U23: {
    question: 'balance, frozen, available; money under way',
    byDefault: 'balance = available + frozen; under way = frozen',
    otherwise: '`balanceHoldsFrozen`, `inflightModel`',
  },
  U24: {
    question: 'whose number `query/deposit` takes',
    byDefault: 'accountNo; any other number: an empty success',
    otherwise: '`depositAccountField`, `emptyListingOf`',
  },
  U25: { question: 'a payee account as payer', byDefault: 'refused', otherwise: '`payerRoles`' },
  U26: {
    question: 'a number that is used again',
    byDefault: "refused; an order's number is unique for the company, over transfers and withdrawals",
    otherwise: '`duplicate`, `numberScope`',
  },
  U27: {
    question: 'both numbers at once',
    byDefault: 'refused',
    otherwise: '`bothIds`, `depositOutOrderNo`',
  },
  U28: {
    question: 'JSON types',
    byDefault: 'a number passes for its digits and the other way round',
    otherwise: '`strictTypes`',
  },
  U29: { question: 'unit of 5W', byDefault: 'yuan: 5,000,000 fen', otherwise: '`childAmountMaxFen`' },
  U30: {
    question: 'whose limit 100 is',
    byDefault: '`extParam` of the batch',
    otherwise: '`batch100Fields`',
  },
  U31: {
    question: 'a payee account that was replaced',
    byDefault: 'closed at that instant, what it holds stays on it, it can still be asked for',
    otherwise: '`replacement` of `POST /control/movements` moves the balance',
  },
  U32: { question: 'spelling of the payer', byDefault: 'as each table has it', otherwise: '`payerField`' },
  U33: {
    question: 'transitions of batches and orders',
    byDefault:
      "an order succeeds at once, and no word changes after its end; the batch's word follows from its orders",
    otherwise:
      '`transferDelayMs`, `withdrawDelayMs`, `states` of `POST /control/outcomes`: any word at any time',
  },
  U34: {
    question: 'words of settleState',
    byDefault: 'SUCCESS, FAIL, PROCESSING; empty without automatic withdrawal',
    otherwise: '`noSettleState`, `settle` of `POST /control/outcomes`: any word',
  },
  U35: {
    question: 'who bears an ACCOUNT fee',
    byDefault:
      'the payer of a transfer, the payee of a deposit, the account itself; fees are 0 until one is set',
    otherwise:
      '`transferFeeBearer`, `depositFeeBearer`, `withdrawFeeBearer`, `settleFeeBearer`, `transferFee`, `withdrawFee`',
  },
  U36: {
    question: 'what a refund moves and shows',
    byDefault:
      'the amount, at once, no fee back; the order says REFUND, before that WAIT_CONFIRM, already with its `refundAmount`',
    otherwise:
      '`refundAmountRule`, `refundFeeReturned`, `refundDelayMs`, `queryShowsRefund`, `refundWordsIn`, `refundViewLagMs`',
  },
  U37: {
    question: 'the automatic withdrawal',
    byDefault:
      "one an order, of what it credited, on accounts with `autoSettle`; retried by the order's number; its fee shows in the answer of the retry alone",
    otherwise:
      '`settleIdKind`, `settleFee`, `settleDelayMs`, `settleRetryState`, `settleRetryDelayMs`, `settleQueueMs`, `settleViewLagMs`, `settleGuard`',
  },
  U38: {
    question: 'what is filtered from a remark',
    byDefault: 'all but letters and digits of any script and spaces; measured afterwards',
    otherwise: '`settleRemarkKeeps`, `settleRemarkMeasured`',
  },
  U39: {
    question: 'acknowledgement and repeats of a push',
    byDefault: '200 and `success` in any case; after 0, 30, 60, 90, 120 and 150 s; 20 s to answer',
    otherwise: '`pushAckBody`, `pushSchedule`, `pushTimeoutSeconds`',
  },
  U40: {
    question: "what a transfer's push holds",
    byDefault:
      'what `division/query` would answer, in an envelope, once the batch has ended and an order of it succeeded',
    otherwise: '`pushFormat`, `pushPer`',
  },
  U41: { question: 'the push of a change', byDefault: 'none', otherwise: '`pushChanges`, `changePushUrl`' },
  U42: {
    question: 'codes and words of refusals',
    byDefault: 'its own: six digits, Chinese and English',
    otherwise: 'fault `unmapped_code`',
  },
  U43: {
    question: 'HTTP status',
    byDefault: '200, also of a refusal; 404, 405 and 415 for path, method and content type',
    otherwise: 'fault `http_status`',
  },
  U44: {
    question: 'endDate, late records, range',
    byDefault: 'endDate counts; a deposit is listed at once; any past and future day may be asked for',
    otherwise: '`endInclusive`, `visibleDelayMs`, `visibleFrom` of `POST /control/deposits`',
  },
  U45: {
    question: 'order of the listing, what total counts',
    byDefault: 'newest first; all records of the range',
    otherwise: '`depositOrder`, `totalOffset`, fault `total`',
  },
  U46: {
    question: 'unknown members and values',
    byDefault: 'ignored in requests, never sent',
    otherwise: 'faults `record`, `rename_member`, `unknown_enum`',
  },
  U47: { question: 'rate limits', byDefault: 'none', otherwise: '`callsPerSecondMax`, fault `too_frequent`' },
  U48: {
    question: "a withdrawal's card and code, its fee, its state",
    byDefault: 'in the business data or in `channelExtra`; `fee`; a word',
    otherwise: '`withdrawExtraIn`, `withdrawFeeName`, `transferFeeName`',
  },
  U49: {
    question: 'money that comes back from the bank',
    byDefault: 'never',
    otherwise: '`returnAfterMs` of `POST /control/outcomes`',
  },
  U50: {
    question: 'times of orders',
    byDefault: 'none are sent, as documented',
    otherwise: 'none: left out of every answer',
  },
  U51: {
    question: 'when a voucher is there, and how many',
    byDefault: "at once, one file; a settlement's as type 2 under the order's number; none of refunds",
    otherwise:
      '`voucherNotReady`, `voucherDelayMs`, `voucherFiles`, `autoWithdrawVoucher`, `fileListAs`, `POST /control/vouchers`',
  },
  U52: {
    question: 'elements of whiteAcctList, how cards get there',
    byDefault: 'like the bound card; by seeds alone, and none before',
    otherwise: '`whiteCards` and `settleCards` of `POST /control/accounts`, fault `record`',
  },
  U53: {
    question: 'signature of a push',
    byDefault: 'signed as an answer is',
    otherwise: '`pushFormat`, `signAnswers`',
  },
  U54: {
    question: 'what 32 and 100 count',
    byDefault: 'characters of numbers; of `extParam` a Chinese one counts 3; bytes of a remark',
    otherwise: '`textsCounted`',
  },
  U55: {
    question: 'life of other codes',
    byDefault: '60 seconds, all of them',
    otherwise: '`smsTtlSeconds`',
  },
  U56: {
    question: 'payment password, password-free withdrawal',
    byDefault: 'set; signed',
    otherwise: '`paymentPassword`, `passwordFree`',
  },
  U57: {
    question: 'movements outside the interface',
    byDefault: 'none by themselves',
    otherwise: '`POST /control/movements`',
  },
  U58: {
    question: 'accountNo in the push of a rejection',
    byDefault: 'an empty text',
    otherwise: '`rejectedAccountNo`',
  },
  U59: { question: 'whole numbers in answers', byDefault: 'JSON numbers', otherwise: '`numbersAs`' },
  U60: {
    question: 'what SUCCESS of an order says',
    byDefault: 'its money was credited, whatever its settlement does',
    otherwise: '`orderSuccessMeans` (the job reads it by `states.childSuccessMeans`)',
  },
};
