/**
 * The profile's schema: every key with its default, which is written nowhere else. This
 * file holds how the platform is talked to; the numbers are in `profile-schema-money.ts`, opening, pushes
 * and the emulator in `profile-schema-setup.ts`.
 */
import { z } from 'zod';

import {
  endpointName,
  fenAmount,
  group,
  isTimeZone,
  leaf,
  pattern,
  whole,
  word,
  words,
} from './profile-leaf.ts';
import { moneyKeys } from './profile-schema-money.ts';
import { setupKeys } from './profile-schema-setup.ts';

const service = group({
  name: leaf('ENV-28', word().default('default'), 'Name of this profile, printed with every run'),
  version: leaf('ENV-28', word().default('1'), 'Version of this profile, printed with every run'),
  timeZone: leaf(
    'U18',
    z
      .string()
      .max(64)
      .refine(isTimeZone, 'must be a time zone such as Asia/Shanghai')
      .default('Asia/Shanghai'),
    'Zone of reqTime, timestamp, startDate, endDate and depositTime, whatever the host or database has',
  ),
});

/** A name of the secret's pair may be empty: the bare secret. */
const secretName = z.string().regex(/^\w{0,32}$/, 'must be a name of up to 32 letters, or empty');

const signing = group({
  secretName: group({
    apiKey: leaf('U1', secretName.default('appSecret'), 'Name of the secret pair in API Key mode; "" = bare'),
    app: leaf('U1', secretName.default('appSecret'), 'Name of the secret pair in app mode; "" = bare'),
  }),
  secretNameByPath: leaf(
    'U1',
    z.partialRecord(endpointName, secretName).default({}),
    'Another name of the secret pair on single endpoints',
  ),
  md5Case: leaf('U2', z.enum(['upper', 'lower']).default('upper'), 'Letter case of MD5 signatures we send'),
  dropEmpty: leaf('U2', z.boolean().default(true), 'Empty values are left out of the string to sign'),
  exclude: leaf('U2', words().default(['sign']), 'Members never part of the string to sign'),
  rsa: group({
    padding: leaf('U3', z.enum(['pkcs1v15']).default('pkcs1v15'), 'Padding of RSA2 signatures'),
    hash: leaf('U3', z.enum(['sha256']).default('sha256'), 'Hash of RSA2 signatures'),
    encoding: leaf('U3', z.enum(['base64']).default('base64'), 'Encoding of RSA2 signatures'),
    privateKey: leaf('U3', z.enum(['pkcs8']).default('pkcs8'), 'Form of our private key: PEM or bare Base64'),
    platformPublicKey: leaf('U3', z.enum(['spki']).default('spki'), "Form of the platform's public key"),
  }),
  response: group({
    fields: leaf(
      'U4',
      z.union([z.literal('all'), words().min(1)], 'must be "all" or a list of member names').default('all'),
      'What the signature of an answer covers: all its non-empty members but sign, or those named; without bizData it proves no success, without code and msg no refusal',
    ),
  }),
  requireResponseSign: leaf(
    'U4',
    z.enum(['auto', 'always', 'never']).default('auto'),
    'auto: unsigned answers pass only as long as this platform has never signed one',
  ),
  requestFields: leaf(
    'U5',
    words()
      .min(1)
      .default(['APIkey', 'apiKey', 'appId', 'bizData', 'reqId', 'reqTime', 'signType', 'version']),
    'Members of a request that its signature covers, as far as they are sent',
  ),
});

const envelope = group({
  credentialNameByPath: leaf(
    'U6',
    z.partialRecord(endpointName, word()).default({}),
    'Another spelling of apiKey on single endpoints (APIkey)',
  ),
});

const clock = group({
  tolerance: leaf(
    'U19',
    z.enum(['inclusive', 'exclusive']).default('inclusive'),
    'Whether a reqTime that is off by exactly 10 seconds is still accepted',
  ),
  autoOffset: leaf('U19', z.boolean().default(true), "Our clock is corrected by the platform's signed time"),
  warnOffsetSeconds: leaf('N15', whole(1, 10).default(3), 'Clock offset that is corrected and warned of'),
  stopOffsetSeconds: leaf('N15', whole(1, 10).default(8), 'Clock offset beyond which an answer is refused'),
});

const milliseconds = whole(1, 3_600_000);

const http = group({
  rate: group({
    perSecond: leaf('U47', z.number().min(0.01).max(10_000).default(10), 'Requests a second at most'),
    concurrency: leaf('U47', whole(1, 256).default(4), 'Requests in flight at most'),
  }),
  maxAttempts: leaf('U43', whole(1, 20).default(5), 'Attempts of a query, the first included'),
  retryQueries: leaf('U43', z.boolean().default(true), 'Queries without an answer are repeated'),
  timeouts: group({
    connectMs: leaf('U43', milliseconds.default(5_000), 'Time to connect'),
    headersMs: leaf('U43', milliseconds.default(15_000), 'Time until the headers of an answer'),
    bodyMs: leaf('U43', milliseconds.default(15_000), 'Time between two parts of a body'),
    deadlineMs: leaf('N3', milliseconds.default(30_000), 'Whole time of a call'),
    filesDeadlineMs: leaf('N3', milliseconds.default(120_000), 'Whole time of a call that fetches vouchers'),
  }),
  bytesMax: leaf('N14', whole(1_024, 1_073_741_824).default(8_388_608), 'Bytes of an answer at most'),
  filesBytesMax: leaf(
    'N14',
    whole(1_024, 1_073_741_824).default(33_554_432),
    'Bytes of an answer with vouchers at most',
  ),
  retryAfterMaxSeconds: leaf('N6', whole(1, 600).default(60), "The platform's wish to wait, at most"),
  signatureFaultsMax: leaf(
    'N8',
    whole(1, 100).default(3),
    'Requests without a verified answer that stop a run in which nothing verifies',
  ),
});

export const REFUSAL_CLASSES = ['NOT_FOUND', 'DUPLICATE', 'RATE_LIMIT', 'AUTH', 'PARAM', 'BUSINESS'] as const;

const refusalRule = z.strictObject({
  path: pattern.optional(),
  code: pattern.optional(),
  msg: pattern.optional(),
  class: z.enum(REFUSAL_CLASSES),
});

const errors = group({
  classes: leaf(
    'U42',
    z
      .array(refusalRule)
      .max(200)
      .default([
        { msg: '频繁|过快|限流|too many|too frequent|rate.?limit', class: 'RATE_LIMIT' },
        { msg: '签名|验签|signature|secret|密钥|api.?key|app.?id|时间戳|req.?time', class: 'AUTH' },
        { msg: '重复|已存在|duplicate|already exists?|concurrent', class: 'DUPLICATE' },
        {
          msg: '不存在|未找到|查无|not found|not exist|no such|unknown (?:account|order|batch)',
          class: 'NOT_FOUND',
        },
        { msg: '参数|必填|不能为空|格式|parameter|missing|required|invalid|format|range', class: 'PARAM' },
      ]),
    'What a refusal means: regular expressions over path, code and msg, the first match wins, none = BUSINESS',
  ),
});

const compat = group({
  unknown: leaf(
    'U46',
    z.enum(['record']).default('record'),
    'Unknown members and values are kept, never fatal',
  ),
  bothIds: leaf(
    'U27',
    z.enum(['refuse', 'own', 'platform']).default('refuse'),
    'Emulator: an order named by both numbers is refused, or one of the two prevails',
  ),
  payerField: leaf(
    'U32',
    words().min(1).default(['payerAcctNo', 'payeyAcctNo']),
    'Spellings of the payer in answers; the first is the one we write',
  ),
  feeNames: leaf('U48', words().min(1).default(['mchFee', 'fee']), 'Spellings of the fee of a withdrawal'),
});

const limits = group({
  count: leaf(
    'U54',
    z.enum(['weighted', 'characters', 'bytes']).default('weighted'),
    'How the length of texts is counted; weighted: a character outside ASCII counts three',
  ),
  childAmountMaxFen: leaf('U29', fenAmount.default(5_000_000n), 'The largest transfer order (5W), in fen'),
  batch100Fields: leaf(
    'U30',
    words().default(['extParam', 'remark', 'body']),
    'Members of a transfer batch that we keep to 100 characters',
  ),
  checkRequests: leaf(
    'LIM-01',
    z.boolean().default(true),
    'Requests are checked against the document before they are sent; false leaves all of it to the platform',
  ),
});

export const profileSchema = z.strictObject({
  service,
  signing,
  envelope,
  clock,
  http,
  errors,
  compat,
  limits,
  ...moneyKeys,
  ...setupKeys,
});
