/** The file of settings to begin with: every setting once, explained, those with a value in force and the others as comments. */
import type { SettingName } from '../../src/core/config/setting-names.ts';

/** What is filled in already; empty: named and waiting for its value. */
export type FilledIn = Readonly<Partial<Record<SettingName, string>>>;

/** What no command can do without. */
export const NEEDED = { PLATFORM_URL: '', PLATFORM_API_KEY: '', PLATFORM_SECRET: '' } as const;

/** `compose.yaml` reads it, and recon does not. */
type Name = SettingName | 'DATABASE_PASSWORD';

interface Part {
  about: readonly string[];
  /** An example of each, where it is not filled in. */
  settings: Readonly<Partial<Record<Name, string>>>;
}

const OPENING = 'Settings of recon; `recon config` shows what is in force and where it came from.';

const PARTS: readonly Part[] = [
  {
    about: [
      'The platform, which gives you its address and one of two credentials: an API key with its secret …',
    ],
    settings: NEEDED,
  },
  {
    about: ['… or an application, which signs by MD5 with the secret or by RSA2 with both key files:'],
    settings: {
      PLATFORM_APP_ID: '',
      PLATFORM_SIGN_TYPE: 'RSA2',
      PLATFORM_PRIVATE_KEY_FILE: '',
      PLATFORM_PUBLIC_KEY_FILE: '',
    },
  },
  {
    about: ['What openings and text messages name besides:'],
    settings: { PLATFORM_CHANNEL_CODE: '' },
  },
  {
    about: ['What the platform’s document leaves open, and the name of your company:'],
    settings: { PLATFORM_PROFILE: 'profile.json' },
  },
  {
    about: [
      'PostgreSQL, for the nights of a company: then `recon migrate` comes first. Without it an embedded database is',
      'kept in RECON_HOME/db, which is for trying:',
    ],
    settings: { DATABASE_URL: 'postgres://recon:password@127.0.0.1:5432/recon' },
  },
  {
    about: [
      'A server elsewhere has to prove itself by a certificate (?sslrootcert=FILE names whom to trust); off gives',
      'that up, and whoever is on the way reads and changes the books:',
    ],
    settings: { DATABASE_TLS: 'verify' },
  },
  {
    about: ['The password of the database that compose.yaml starts; nothing else reads it:'],
    settings: { DATABASE_PASSWORD: '' },
  },
  {
    about: ['Workbooks, vouchers and bundles, and the embedded database:'],
    settings: { RECON_HOME: './var' },
  },
  {
    about: [
      'What tells a database that was restored from a backup; outside of RECON_HOME and of every backup of the',
      'database. By default in the state folder of the user:',
    ],
    settings: { SETTLE_MARK_FILE: '/var/lib/recon-state/settle-mark' },
  },
  {
    about: [
      'Files of accounts, orders and ledger are taken in from here at the start of each night, and moved to done/ or',
      'failed/:',
    ],
    settings: { INTAKE_INBOX: '/srv/recon/inbox' },
  },
  {
    about: [
      'Or the books are taken from the company’s own database, by a query that yields the columns of the files and',
      'changed_at:',
    ],
    settings: {
      LEDGER_DATABASE_URL: 'mysql://recon_read:password@erp.example:3306/erp',
      LEDGER_DATABASE_QUERY: '/etc/recon/ledger.sql',
      LEDGER_DATABASE_ORDERS_QUERY: '/etc/recon/orders.sql',
      LEDGER_DATABASE_CLOSED_QUERY: '/etc/recon/closed.sql',
      LEDGER_DATABASE_SOURCE: 'ledger',
      LEDGER_DATABASE_LOOK_BACK: '48',
    },
  },
  {
    about: ['The language of workbooks and alerts, zh-CN or en:'],
    settings: { REPORT_LOCALE: 'zh-CN' },
  },
  {
    about: [
      'When `recon schedule` runs the night of yesterday and stores balances, in the service’s time zone:',
    ],
    settings: { NIGHTLY_CRON: '0 2 * * *', SNAPSHOT_CRON: '0 0 * * *' },
  },
  {
    about: [
      'Who is told of nights that are not green, failed or late, and of what waits for a person; any of these ways:',
    ],
    settings: {
      ALERT_WEBHOOK_URL: 'https://alerts.example/recon',
      ALERT_WEBHOOK_SECRET: '',
      ALERT_WECOM_URL: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
      ALERT_DINGTALK_URL: 'https://oapi.dingtalk.com/robot/send?access_token=',
      ALERT_DINGTALK_SECRET: '',
      ALERT_FEISHU_URL: 'https://open.feishu.cn/open-apis/bot/v2/hook/',
      ALERT_FEISHU_SECRET: '',
      ALERT_MAIL_URL: 'smtps://user:password@mail.example:465',
      ALERT_MAIL_FROM: 'recon@company.example',
      ALERT_MAIL_TO: 'finance@company.example',
      ALERT_MAIL_ATTACH: 'no',
      ALERT_COMMAND: '/usr/local/bin/tell-somebody',
      ALERT_FILES_URL: 'https://files.company.example/recon',
      ALERT_LATE_AT: '06:00',
      ALERT_GREEN: 'no',
    },
  },
  {
    about: [
      'The page to look at, health and metrics. Without a token (openssl rand -hex 24 makes one) the page is shown on',
      'this machine only:',
    ],
    settings: { HEALTH_PORT: '9090', HEALTH_HOST: '127.0.0.1', PAGE_TOKEN: '' },
  },
  {
    about: ['POST /push, for the platform’s proxy:'],
    settings: { PUSH_PORT: '9091', PUSH_HOST: '0.0.0.0' },
  },
  {
    about: [
      'Nights leave their units to workers (recon worker), which share the platform’s rate with all processes:',
    ],
    settings: { RECON_WORKERS: 'yes' },
  },
  {
    about: [
      'How many days `recon prune` leaves signed answers, files of former versions, delivered files and alerts, or keep.',
      'Nothing is pruned by itself:',
    ],
    settings: {
      RETAIN_ANSWERS_DAYS: '400',
      RETAIN_VERSIONS_DAYS: '400',
      RETAIN_BUNDLES_DAYS: '400',
      RETAIN_ASIDE_DAYS: '400',
      RETAIN_INBOX_DAYS: '400',
      RETAIN_ALERTS_DAYS: '400',
    },
  },
  {
    about: ['Who works on breaks: a write-off takes a preparer and another person who approves it.'],
    settings: { RECON_PEOPLE: 'Li Na:preparer,Wang Wei:approver', RECON_USER: 'Li Na' },
  },
  { about: ['debug, info, warn or error:'], settings: { LOG_LEVEL: 'info' } },
];

export function envText(filledIn: FilledIn): string {
  const parts = PARTS.map(({ about, settings }) =>
    [
      ...about.map((line) => `# ${line}`),
      ...Object.entries(settings).map(([name, example]) => {
        const value = filledIn[name as SettingName];
        return value === undefined ? `# ${name}=${example}` : `${name}=${quoted(value)}`;
      }),
    ].join('\n'),
  );
  return `# ${OPENING}\n\n${parts.join('\n\n')}\n`;
}

/** As `parseEnv` reads it back: nothing is escaped, so that a value stands between marks that it does not hold. */
function quoted(value: string): string {
  if (/^[^\s#'"`]*$/.test(value)) return value;
  const mark = ["'", '"', '`'].find(
    (candidate) => !value.includes(candidate) && !(candidate === '"' && value.includes('\\')),
  );
  if (mark === undefined) throw new Error(`Bug: no marks hold ${JSON.stringify(value)}`);
  return `${mark}${value}${mark}`;
}
