/** What each setting is for; a setting without a sentence here does not compile. */
import type { SettingName } from '../../src/core/config/setting-names.ts';

export const SETTING_WORDS: Readonly<Record<SettingName, string>> = {
  DATABASE_URL: 'PostgreSQL address; without it the embedded database in `RECON_HOME`/db',
  DATABASE_TLS:
    '`verify` or `off`; without it another host is spoken to over verified TLS, this machine in clear text',
  RECON_HOME: 'folder of reports, vouchers, bundles and the embedded database',
  SETTLE_MARK_FILE:
    'file outside `RECON_HOME` and the database that tells a restored memory (see [Backups](#backups-and-restores)); by default in the user’s state folder',
  PLATFORM_URL: 'address of the platform, before `/api/open/virtualBank`; `https` except on this machine',
  PLATFORM_API_KEY: 'credential of API key mode; one of it and `PLATFORM_APP_ID`',
  PLATFORM_APP_ID: 'credential of app mode',
  PLATFORM_SECRET: 'secret of the credential, for MD5',
  PLATFORM_SIGN_TYPE: '`MD5` or `RSA2`; `RSA2` in app mode only',
  PLATFORM_PRIVATE_KEY_FILE: 'our private key, for `RSA2`',
  PLATFORM_PUBLIC_KEY_FILE: 'the platform’s public key, for `RSA2`',
  PLATFORM_CHANNEL_CODE: 'channel code, which `acct/sendMsg` and openings need',
  PLATFORM_PROFILE: 'file of the [profile](profile-and-probe.md); without it every key has its default',
  REPORT_LOCALE: 'language of workbooks and bundles: `zh-CN` or `en`',
  INTAKE_INBOX:
    'folder whose files of accounts, orders and ledger are taken in at the start of each night ([The inbox](#the-inbox)); without it files are imported by hand',
  LEDGER_DATABASE_URL:
    'the company’s own database, `postgres://` or `mysql://`, from which its books are taken at the start of each night ([The pull](#the-pull))',
  LEDGER_DATABASE_QUERY: 'file of SQL that yields the ledger',
  LEDGER_DATABASE_ORDERS_QUERY: 'file of SQL that yields the submitted orders',
  LEDGER_DATABASE_CLOSED_QUERY:
    'file of SQL that yields the last day that is closed; without it a day is whole once it is over',
  LEDGER_DATABASE_SOURCE: 'what the ledger is called here, as `--source`',
  LEDGER_DATABASE_LOOK_BACK: 'hours that each pull reads again before the last change it saw',
  NIGHTLY_CRON: 'when `recon schedule` runs the night, in the service’s time zone',
  SNAPSHOT_CRON: 'when `recon schedule` stores balances, in the service’s time zone',
  ALERT_WEBHOOK_URL: 'receiver of one’s own for [alerts](#alerts); `https` except on this machine',
  ALERT_WEBHOOK_SECRET: 'what its requests are signed with; it needs one',
  ALERT_WECOM_URL: 'address of a robot of 企业微信, its key in it',
  ALERT_DINGTALK_URL: 'address of a robot of 钉钉, its token in it',
  ALERT_DINGTALK_SECRET: 'its secret (加签)',
  ALERT_FEISHU_URL: 'address of a robot of 飞书',
  ALERT_FEISHU_SECRET: 'its secret (签名校验)',
  ALERT_MAIL_URL:
    'mail server: `smtps://user:password@host:465`, or `smtp://…:587`, which must offer STARTTLS except on this machine',
  ALERT_MAIL_FROM: 'address that mail is from',
  ALERT_MAIL_TO: 'addresses that mail goes to, by commas',
  ALERT_MAIL_ATTACH: '`yes`: the workbook goes along up to 7 MB; it holds names of counterparties',
  ALERT_COMMAND: 'program that gets each alert as JSON on its stdin',
  ALERT_FILES_URL: 'address under which `RECON_HOME` is seen, for links to workbooks; `https` as above',
  ALERT_LATE_AT:
    'time of day, in the service’s time zone, by which the night of yesterday must have a verdict',
  ALERT_GREEN: '`yes`: nights are told of, too, on which nothing is wrong',
  HEALTH_PORT: 'port of [the page](#the-page), `/healthz` and `/metrics`; without it they are not served',
  HEALTH_HOST: 'address they listen on',
  PAGE_TOKEN:
    'who has it sees [the page](#the-page), 16 characters or more; without it the page is shown on this machine only',
  PUSH_PORT: 'port of `POST /push`; without it the schedule takes no pushes',
  PUSH_HOST: 'address it listens on',
  RECON_PEOPLE:
    'who may work on breaks: `NAME:ROLE` by commas, roles `preparer` and `approver` (both: `preparer+approver`); without it whoever has a name',
  RECON_WORKERS:
    '`yes`: nights leave their units to `recon worker`, and every process shares the platform’s rate with them ([Workers](#workers)); else `no`',
  RECON_USER: 'who says what `recon breaks assign` and the other commands say, where `--by` is left out',
  RETAIN_ANSWERS_DAYS:
    'how many days signed answers are left by `recon prune`, or `keep` ([Keeping it for years](#keeping-it-for-years))',
  RETAIN_VERSIONS_DAYS: 'the same for files of former versions of runs',
  RETAIN_BUNDLES_DAYS: 'for files of former versions of bundles',
  RETAIN_ASIDE_DAYS: 'for workbooks that were moved aside',
  RETAIN_INBOX_DAYS: 'for `done/` and `failed/` of the inbox',
  RETAIN_ALERTS_DAYS: 'for alerts that were sent',
  LOG_LEVEL: '`debug`, `info`, `warn` or `error`; on a terminal the default is `warn`',
};
