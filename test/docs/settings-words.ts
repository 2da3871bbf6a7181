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
  NIGHTLY_CRON: 'when `recon schedule` runs the night, in the service’s time zone',
  SNAPSHOT_CRON: 'when `recon schedule` stores balances, in the service’s time zone',
  HEALTH_PORT: 'port of `/healthz` and `/metrics`; without it they are not served',
  HEALTH_HOST: 'address they listen on',
  PUSH_PORT: 'port of `POST /push`; without it the schedule takes no pushes',
  PUSH_HOST: 'address it listens on',
  LOG_LEVEL: '`debug`, `info`, `warn` or `error`; on a terminal the default is `warn`',
};
