/**
 * Synthetic companies, people and numbers. Every card and identity number has a wrong check digit and every
 * code lies outside what is given out, so that none can be a real one (S8).
 */
import type { Seeded } from '../world/random.ts';

const PLACES = [
  '云杉',
  '星河',
  '青禾',
  '海棠',
  '松涛',
  '朝露',
  '远山',
  '白鹭',
  '银杏',
  '晨曦',
  '南屏',
  '北辰',
];
const TRADES = ['商贸', '食品', '文化', '物流', '科技', '家居', '服饰', '农业'];
const SURNAMES = ['赵', '钱', '孙', '李', '周', '吴', '郑', '王', '冯', '陈', '褚', '卫'];
const GIVEN = ['测甲', '测乙', '测丙', '测丁', '测戊', '测己', '测庚', '测辛', '测壬', '测癸'];

export interface Payer {
  name: string;
  accountNo: string;
  bankNo: string;
}

export function companyName(random: Seeded): string {
  return `${random.pick(PLACES)}示例${random.pick(TRADES)}有限公司`;
}

export function personName(random: Seeded): string {
  return `${random.pick(SURNAMES)}${random.pick(GIVEN)}`;
}

/** Payers with different names, companies and people by turns. */
export function payers(random: Seeded, count: number): Payer[] {
  const names = new Set<string>();
  while (names.size < count) names.add(names.size % 2 === 0 ? companyName(random) : personName(random));
  return [...names].map((name) => ({ name, accountNo: cardNo(random), bankNo: bankCode(random) }));
}

/** Sixteen digits that fail the check every bank card passes. */
export function cardNo(random: Seeded): string {
  const digits = `9999${digitsOf(random, 11)}`;
  const right = luhnDigit(digits);
  return `${digits}${(right + 5) % 10}`;
}

/** Eighteen characters with a region that does not exist and a wrong check character. */
export function identityNo(random: Seeded): string {
  const digits = `999999${random.whole({ min: 1960, max: 2000 })}0101${digitsOf(random, 3)}`;
  const right = identityCheck(digits);
  return `${digits}${right === '5' ? '6' : '5'}`;
}

export function licenseNo(random: Seeded): string {
  return `99TEST${digitsOf(random, 11)}X`;
}

/** As the service shows it: masked. */
export function maskedMobile(random: Seeded): string {
  return `199****${digitsOf(random, 4)}`;
}

export function bankCode(random: Seeded): string {
  return `999${digitsOf(random, 9)}`;
}

function digitsOf(random: Seeded, count: number): string {
  return Array.from({ length: count }, () => random.whole({ min: 0, max: 9 })).join('');
}

/** The digit that would make a card number valid. */
function luhnDigit(digits: string): number {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, place) => {
      const value = Number.parseInt(digit, 10) * (place % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The character that would make an identity number valid (GB 11643). */
function identityCheck(digits: string): string {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce(
    (total, weight, place) => total + weight * Number.parseInt(digits.charAt(place), 10),
    0,
  );
  return '10X98765432'.charAt(sum % 11);
}
