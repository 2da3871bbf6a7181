/** The settings with which a client reaches a sandbox. */
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';

export function platformSettings(sandbox: Pick<Sandbox, 'credentials' | 'channelCode'>, url: string) {
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  if (credential === undefined) throw new Error('Bug: the sandbox has no API key');
  return {
    PLATFORM_URL: url,
    PLATFORM_API_KEY: credential.id,
    PLATFORM_SECRET: credential.secret,
    PLATFORM_CHANNEL_CODE: sandbox.channelCode,
  };
}
