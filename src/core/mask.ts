/**
 * What must not be read in a log, an error, an alert or a report (S4, S6): secrets by their value, personal
 * numbers by their form in free text and by the name of their field. Registry account and order numbers are
 * no secret: in fields of their own they are left as they are.
 */

export const MASKED = '[masked]';

/** A shorter secret stands in many innocent words; it is masked only where it stands alone. */
const SECRET_LENGTH_ANYWHERE = 4;

/** Replaces every occurrence of a secret, longest first, so that one that holds another leaves no rest. */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets.toSorted((left, right) => right.length - left.length)) {
    if (secret.length >= SECRET_LENGTH_IN_FORMS) masked = masked.replace(patternOf(secret), MASKED);
    else if (secret.length >= SECRET_LENGTH_ANYWHERE) masked = masked.replaceAll(secret, MASKED);
    else if (secret !== '') masked = masked.replace(standingAlone(secret), MASKED);
  }
  return masked;
}

/** A shorter secret has forms that stand in innocent words. */
const SECRET_LENGTH_IN_FORMS = 8;
/** A process has a handful of secrets, and masks every text with them. */
const patterns = new Map<string, RegExp>();

/** The secret, each of its characters written in any of its ways. */
function patternOf(secret: string): RegExp {
  const known = patterns.get(secret);
  if (known !== undefined) return known;
  const pattern = new RegExp(Array.from(secret, waysOf).join(''), 'gu');
  patterns.set(secret, pattern);
  return pattern;
}

/** Two encoders may have been at work, one upon the other. */
const ESCAPES = '\\\\{0,4}';
const PERCENT = '%(?:25){0,3}';
const AMPERSAND = '&(?:amp;){0,2}';
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * How an echo may write a character: as it is or behind a backslash, by its number as JSON and JavaScript do, in an
 * address, in a page. Every encoder has characters of its own that it leaves as they are, or does not.
 */
function waysOf(character: string): string {
  const hex = (number: number, digits: number): string =>
    number
      .toString(16)
      .padStart(digits, '0')
      .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => hex(byte, 2));
  const name = ENTITIES[character];
  return `(?:${[
    ...(name === undefined ? [] : [`${AMPERSAND}${name};`]),
    `${AMPERSAND}#(?:0{0,6}${code}|x0{0,6}${hex(code, 1)});`,
    bytes.map((byte) => `${PERCENT}${byte}`).join(''),
    units.map((unit) => `\\\\{1,4}u${unit}`).join(''),
    `${ESCAPES}${literal(character)}`,
    ...(character === ' ' ? ['\\+'] : []),
  ].join('|')})`;
}

/**
 * A secret with the forms in which an echo shows other characters: in either case, in hex, and in Base64 at each of the
 * three places where it can begin within the text that was encoded.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= SECRET_LENGTH_IN_FORMS)
    .flatMap((secret) => {
      const bytes = Buffer.from(secret, 'utf8');
      const encoded = [0, 1, 2].map((before) => base64Within(bytes, before));
      return [
        secret.toUpperCase(),
        secret.toLowerCase(),
        bytes.toString('hex'),
        bytes.toString('hex').toUpperCase(),
        ...encoded.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
      ];
    });
  return [...new Set([...secrets, ...forms])];
}

/** The characters that are the secret's alone, whatever stands before and after it. */
function base64Within(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const text = whole.toString('base64').replace(/=+$/, '');
  const isCut = whole.length % 3 !== 0;
  return text.slice(Math.ceil((before * 8) / 6), isCut ? -1 : undefined);
}

function standingAlone(secret: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal(secret)}(?![\\p{L}\\p{N}_])`, 'gu');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const DIGIT = '[0-9\\uFF10-\\uFF19]';
/** What people put between groups of digits: a blank of any width or two, a dash of any kind. */
const BETWEEN = '(?:[\\p{Zs}\\t]{1,2}|\\p{Zs}?[\\p{Pd}\\u2212]\\p{Zs}?)';
/** A whole run of digits, a final X included; or groups of four, or of three and four, as people write them. */
const PERSONAL = new RegExp(
  [
    '(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9A-Za-z])',
    `(?<!${DIGIT})${DIGIT}{4}(?:${BETWEEN}${DIGIT}{4}){2,}(?:${BETWEEN}${DIGIT}{1,3})?(?!${DIGIT})`,
    `(?<!${DIGIT})1${DIGIT}{2}${BETWEEN}${DIGIT}{4}${BETWEEN}${DIGIT}{4}(?!${DIGIT})`,
    `${DIGIT}{11,}[xXＸｘ]?`,
  ].join('|'),
  'gu',
);
const LAST = '[0-9\\uFF10-\\uFF19xXＸｘ]';
/** Groups in which other numbers stand side by side as well: identity numbers by place, birthday and the rest, and cards. */
const IN_OTHER_GROUPS = new RegExp(
  `(?<!${DIGIT})(?:${[
    `${DIGIT}{6}${BETWEEN}${DIGIT}{4}${BETWEEN}?${DIGIT}{4}${BETWEEN}?${DIGIT}{3}${LAST}`,
    `${DIGIT}{14}${BETWEEN}${DIGIT}{3}${LAST}`,
    `${DIGIT}{6}${BETWEEN}(?:${DIGIT}{13}|${DIGIT}{10})`,
    `${DIGIT}{8}${BETWEEN}${DIGIT}{8}(?:${BETWEEN}${DIGIT}{1,3})?`,
  ].join('|')})(?!${DIGIT})`,
  'gu',
);

const DIGEST = /^[0-9a-f]*[a-f][0-9a-f]*$/;
const MOBILE = /^(?:0086|86)?(1[3-9]\d{9})$/;
const IDENTITY_18 = /^[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/;
const IDENTITY_15 = /^[1-9]\d{7}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}$/;
const CARD_LONG = /^\d{16,19}$/;
const CARD_IN_GROUPS = /^[3-6]\d{15,18}$/;
const CARD_SHORT = /^[3-6]\d{12,14}$/;

/**
 * Masks what looks personal in free text: cards (any run of 16 to 19 digits, a shorter one from 13 when its
 * check digit is right), identity numbers and mainland mobile numbers, also in groups, whatever blank or dash stands
 * between them, or in full-width digits.
 * Random request numbers and digests (32 or 64 hex digits) are left.
 * @param told hears what was masked, and what stands in its place
 */
export function maskPersonal(text: string, told: (run: string, shown: string) => void = ignored): string {
  const telling =
    (mask: (run: string) => string) =>
    (run: string): string => {
      const shown = mask(run);
      if (shown !== run) told(run, shown);
      return shown;
    };
  return text.replace(IN_OTHER_GROUPS, telling(maskOtherGroups)).replace(PERSONAL, telling(maskPersonalRun));
}

const ignored = (): void => undefined;

function maskPersonalRun(run: string): string {
  if (DIGEST.test(run)) return run;
  const digits = digitsOf(run);
  const grouped = digits.length < run.length;
  const tail = digits.endsWith('X') && !IDENTITY_18.test(digits) ? run.slice(-1) : '';
  const masked = maskRun(tail === '' ? digits : digits.slice(0, -1), grouped);
  return masked === undefined ? run : `${masked}${tail}`;
}

function maskRun(digits: string, grouped: boolean): string | undefined {
  const mobile = MOBILE.exec(digits)?.[1];
  if (mobile !== undefined) return maskMobile(mobile);
  if (IDENTITY_18.test(digits) || IDENTITY_15.test(digits)) return maskIdentity(digits);
  if (CARD_LONG.test(digits) || (grouped && digits.length > 19)) return maskCard(digits);
  return CARD_SHORT.test(digits) && passesLuhn(digits) ? maskCard(digits) : undefined;
}

/** The digits without what stands between them, and the X that may end them. */
function digitsOf(run: string): string {
  return run
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9X]/g, '');
}

/** Numbers side by side are none: only what its own check digit proves is one. */
function maskOtherGroups(run: string): string {
  const digits = digitsOf(run);
  if (IDENTITY_18.test(digits) && passesIdentityCheck(digits)) return maskIdentity(digits);
  return CARD_IN_GROUPS.test(digits) && passesLuhn(digits) ? maskCard(digits) : run;
}

/** ISO 7064, MOD 11-2. */
function passesIdentityCheck(digits: string): boolean {
  const sum = Array.from(digits).reduce((total, digit, at) => {
    return total + (digit === 'X' ? 10 : Number(digit)) * (2 ** (digits.length - 1 - at) % 11);
  }, 0);
  return sum % 11 === 1;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A number too short to keep a part of it hidden is hidden whole. */
const SHOWN_IN_PART_MIN = 8;

/** `6222021234567890123` → `****0123` */
export function maskCard(number: string): string {
  return number.length < SHOWN_IN_PART_MIN ? '****' : `****${number.slice(-4)}`;
}

/** `11010519491231002X` → `110***********002X` */
export function maskIdentity(number: string): string {
  if (number.length <= SHOWN_IN_PART_MIN) return '****';
  return `${number.slice(0, 3)}${'*'.repeat(number.length - 7)}${number.slice(-4)}`;
}

/** `13812345678` → `138****5678` */
export function maskMobile(number: string): string {
  return number.length === 11 ? `${number.slice(0, 3)}****${number.slice(-4)}` : maskCard(number);
}

/** `张三丰` → `张*` */
export function maskName(name: string): string {
  const [first] = name.trim();
  return first === undefined ? '' : `${first}*`;
}

const whole = (): string => MASKED;

/** Fields that hold one personal thing, and how it is masked. */
const PERSONAL_FIELDS: ReadonlyMap<string, (value: string) => string> = new Map([
  ...['idCardNo', 'agentIdNo', 'identityNo', 'licenseNo'].map((name) => [name, maskIdentity] as const),
  ...['mobile', 'phone', 'idCardPhone', 'settAccountPhone', 'agentPhone'].map(
    (name) => [name, maskMobile] as const,
  ),
  ...['cardNo', 'settAccountNo', 'bankAccountNo', 'recvAcctNo'].map((name) => [name, maskCard] as const),
  ...['payerBankNo', 'payeeBankNo', 'payerBankAcctNo'].map((name) => [name, maskCard] as const),
  ...['idCardName', 'settAccountName', 'bankAccountName', 'recvAcctName'].map(
    (name) => [name, maskName] as const,
  ),
  ...['payerName', 'payeeName', 'agentName', 'personName', 'eleAcctName'].map(
    (name) => [name, maskName] as const,
  ),
  ...['idCard1Img', 'idCard2Img', 'agentIdCard1Img', 'agentIdCard2Img', 'authLetterImg'].map(
    (name) => [name, whole] as const,
  ),
  ...['address', 'licenseAddress', 'smsCode', 'sign', 'secret', 'password'].map(
    (name) => [name, whole] as const,
  ),
  ...['privateKey', 'authorization', 'apiSecret', 'appSecret', 'token'].map((name) => [name, whole] as const),
]);

/** Fields whose values are numbers of ours, of the registry or of the platform, and so are shown. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(
  [
    'event job runId reqId reqTime timestamp day from to cut startDate endDate accountNo acctNo eleAcctNo',
    'payeeAcctNo payerAccountNo payeeAccountNo replacedBy orderNo outOrderNo batchNo outBatchNo reference',
    'recordId entryId breakId id reqNo outReqNo openReqNo smsFlowNo channelCode endpoint path class code',
    'key sha256 digest profileDigest settingsDigest dedupKey unit window',
  ].flatMap((names) => names.split(' ')),
);

/** What a number or name of ours is made of; anything else in such a field is treated as free text. */
const OPEN_VALUE = /^[A-Za-z0-9_.:+/@#-]{1,200}$/;

/** How a field of that name is shown: personal fields by their rule, numbers of ours open, all else as free text. */
export function maskField(name: string, value: string): string {
  const rule = PERSONAL_FIELDS.get(name);
  if (rule) return rule(value.trim());
  return OPEN_FIELDS.has(name) && OPEN_VALUE.test(value) ? value : maskPersonal(value);
}

/** Whether a field of that name is masked whatever the type of its value. */
export function isPersonalField(name: string): boolean {
  return PERSONAL_FIELDS.has(name);
}
