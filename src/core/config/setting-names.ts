/** Every setting with its default; `hidden` says how much of it a person may see. */
export const SETTINGS = {
  DATABASE_URL: { usual: undefined, hidden: 'password' },
  DATABASE_TLS: { usual: undefined, hidden: 'nothing' },
  RECON_HOME: { usual: './var', hidden: 'nothing' },
  SETTLE_MARK_FILE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_URL: { usual: undefined, hidden: 'nothing' },
  PLATFORM_API_KEY: { usual: undefined, hidden: 'all' },
  PLATFORM_APP_ID: { usual: undefined, hidden: 'nothing' },
  PLATFORM_SECRET: { usual: undefined, hidden: 'all' },
  PLATFORM_SIGN_TYPE: { usual: 'MD5', hidden: 'nothing' },
  PLATFORM_PRIVATE_KEY_FILE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_PUBLIC_KEY_FILE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_CHANNEL_CODE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_PROFILE: { usual: undefined, hidden: 'nothing' },
  REPORT_LOCALE: { usual: 'zh-CN', hidden: 'nothing' },
  NIGHTLY_CRON: { usual: '0 2 * * *', hidden: 'nothing' },
  SNAPSHOT_CRON: { usual: '0 0 * * *', hidden: 'nothing' },
  HEALTH_PORT: { usual: undefined, hidden: 'nothing' },
  HEALTH_HOST: { usual: '127.0.0.1', hidden: 'nothing' },
  PUSH_PORT: { usual: undefined, hidden: 'nothing' },
  PUSH_HOST: { usual: '0.0.0.0', hidden: 'nothing' },
  LOG_LEVEL: { usual: 'info', hidden: 'nothing' },
} as const satisfies Record<string, { usual: string | undefined; hidden: 'nothing' | 'all' | 'password' }>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
