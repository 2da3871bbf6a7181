/** What a break probably is, as sentences. Amounts come in yuan, as people read them. */

export interface SuggestionWords {
  transposed: (amounts: Pair) => string;
  shifted: (amounts: Pair) => string;
  oneDigit: (amounts: Pair) => string;
  otherSign: (amounts: Pair) => string;
  takenBack: (amount: string) => string;
  tooMuch: (amount: string) => string;
  tooLittle: (amount: string) => string;
  sameAgain: (entry: string) => string;
  manyTimes: (of: { times: string; amount: string }) => string;
  mirror: (of: { account: string; name: string }) => string;
  unbookedBothSides: (account: string) => string;
  bookedBothSides: (account: string) => string;
  elsewhere: (of: { account: string; name: string }) => string;
  severalElsewhere: (count: string) => string;
  candidates: (of: { names: readonly string[]; more: number; amount: string }) => string;
  unbooked: (amount: string) => string;
  unknownToPlatform: (amount: string) => string;
  failedButBooked: (amount: string) => string;
  unlisted: (amount: string) => string;
}

interface Pair {
  platform: string;
  ledger: string;
}

export const suggestionWordsZh: SuggestionWords = {
  transposed: ({ platform, ledger }) => `疑似数字颠倒：${platform} / ${ledger}`,
  shifted: ({ platform, ledger }) => `疑似小数点错位：${platform} / ${ledger}`,
  oneDigit: ({ platform, ledger }) => `疑似一位数字记错：${platform} / ${ledger}`,
  otherSign: ({ platform, ledger }) => `疑似收付记反：${platform} / ${ledger}`,
  takenBack: (amount) => `平台合计为 0.00，疑似 ${amount} 已退回而退回未入账`,
  tooMuch: (amount) => `企业账多记 ${amount}`,
  tooLittle: (amount) => `企业账少记 ${amount}`,
  sameAgain: (entry) => `同额另有一笔 ${entry}`,
  manyTimes: ({ times, amount }) => `企业账是平台金额 ${amount} 的 ${times} 倍`,
  mirror: ({ account, name }) => `与账户 ${account} 的 ${name} 互为串户`,
  unbookedBothSides: (account) => `另一方账户 ${account} 也未入账`,
  bookedBothSides: (account) => `另一方账户 ${account} 也已入账，平台同样没有`,
  elsewhere: ({ account, name }) => `账户 ${account} 的 ${name} 金额相同，疑似串户`,
  severalElsewhere: (count) => `其他账户有 ${count} 笔同额待匹配，疑似串户`,
  candidates: ({ names, more, amount }) =>
    `候选：${names.join('、')}${more > 0 ? ` 等 ${names.length + more} 笔` : ''}（${amount}）`,
  unbooked: (amount) => `没有同额的已过账分录待匹配，疑似漏记 ${amount}`,
  unknownToPlatform: (amount) => `平台没有同额的记录待匹配，${amount} 疑似编号有误或并未发生`,
  failedButBooked: (amount) => `企业账已记 ${amount}，疑似应冲销`,
  unlisted: (amount) => `企业账有 ${amount} 而平台没有列出`,
};

export const suggestionWordsEn: SuggestionWords = {
  transposed: ({ platform, ledger }) => `digits probably swapped: ${platform} / ${ledger}`,
  shifted: ({ platform, ledger }) => `decimal point probably shifted: ${platform} / ${ledger}`,
  oneDigit: ({ platform, ledger }) => `one digit probably wrong: ${platform} / ${ledger}`,
  otherSign: ({ platform, ledger }) => `probably booked the other way round: ${platform} / ${ledger}`,
  takenBack: (amount) => `the platform has 0.00 in all: ${amount} probably came back, which is not booked`,
  tooMuch: (amount) => `booked ${amount} too high`,
  tooLittle: (amount) => `booked ${amount} too low`,
  sameAgain: (entry) => `${entry} has the same amount`,
  manyTimes: ({ times, amount }) => `booked ${times} times the ${amount} of the platform`,
  mirror: ({ account, name }) =>
    `one and the same as ${name} of account ${account}: booked on the wrong account`,
  unbookedBothSides: (account) => `not booked on the other account ${account} either`,
  bookedBothSides: (account) =>
    `booked on the other account ${account} too, where the platform lacks it as well`,
  elsewhere: ({ account, name }) =>
    `${name} of account ${account} has the same amount: probably the wrong account`,
  severalElsewhere: (count) =>
    `other accounts have ${count} unmatched of the same amount: probably the wrong account`,
  candidates: ({ names, more, amount }) =>
    `candidates: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} (${amount})`,
  unbooked: (amount) => `no posted entry of that amount is unmatched: ${amount} probably not booked`,
  unknownToPlatform: (amount) =>
    `no record of that amount is unmatched: ${amount} probably misnumbered, or never happened`,
  failedButBooked: (amount) => `the books have ${amount}: probably to be reversed`,
  unlisted: (amount) => `the books have ${amount} that the platform did not list`,
};
