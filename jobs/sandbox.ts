/** `recon sandbox`: the emulator of the platform on loopback, until it is stopped. All it holds is synthetic. */
import { hostEnvironment, readSettings } from '../src/core/config.ts';
import { WrongInput, messageOf } from '../src/core/errors.ts';
import { openLog } from '../src/core/log.ts';
import { nearest } from '../src/core/nearest.ts';
import type { Clock } from '../src/core/ports.ts';
import { Zone } from '../src/core/time.ts';
import { CONTROL_PREFIX } from '../src/sandbox/control.ts';
import { createSandbox } from '../src/sandbox/create-sandbox.ts';
import type { Sandbox } from '../src/sandbox/create-sandbox.ts';
import { serve } from '../src/sandbox/serve.ts';
import type { ServedSandbox } from '../src/sandbox/serve.ts';
import { finish, hideInMessages, printOutcome } from './command.ts';
import type { CommonOptions } from './command.ts';
import { clockOf, readProfileOf } from './context.ts';
import { aborted, stopOnSignals } from './stop-signals.ts';

export interface SandboxCommandOptions extends CommonOptions {
  port: number;
  scenario: string;
  controls?: boolean;
}

const SCENARIOS = ['demo', 'empty', 'volume'] as const;
type Scenario = (typeof SCENARIOS)[number];

export function sandboxCommand(options: SandboxCommandOptions): Promise<void> {
  return finish(options, async () => {
    const scenario = parseScenario(options.scenario);
    const settings = readSettings({
      env: hostEnvironment(),
      envFile: options.envFile,
      needs: { platform: false },
    });
    hideInMessages(settings.secrets);
    const profile = readProfileOf(settings);
    const clock = clockOf(options, new Zone(profile.service.timeZone));
    const level = options.logLevel ?? 'error';
    const log = openLog({ level, secrets: settings.secrets, clock });
    const sandbox = createSandbox({ scenario, clock, profile });
    const served = await listen(sandbox, { port: options.port, controls: options.controls === true, clock });
    const stopping = stopOnSignals({ log, clock, status: 0 });
    try {
      await printOutcome(options, sayingOf(sandbox, { url: served.url, scenario, options }));
      await aborted(stopping.signal);
    } finally {
      await served.close();
      stopping.forget();
    }
    return { status: 0, document: undefined, text: '' };
  });
}

function parseScenario(text: string): Scenario {
  const found = SCENARIOS.find((name) => name === text);
  if (found !== undefined) return found;
  const meant = nearest(text, SCENARIOS);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(`--scenario ${JSON.stringify(text)} is none of ${SCENARIOS.join(', ')}${hint}`);
}

async function listen(
  sandbox: Sandbox,
  at: { port: number; controls: boolean; clock: Clock },
): Promise<ServedSandbox> {
  try {
    return await serve(sandbox, at);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new WrongInput(`--port ${at.port} cannot be used: ${messageOf(error)}`, [], {}, { cause: error });
  }
}

interface Saying {
  url: string;
  scenario: Scenario;
  options: SandboxCommandOptions;
}

/** Who starts it wants to use it: the settings come ready to be pasted. */
function sayingOf(sandbox: Sandbox, { url, scenario, options }: Saying) {
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  if (credential === undefined) throw new Error('Bug: the sandbox has no API key');
  const settings = {
    PLATFORM_URL: url,
    PLATFORM_API_KEY: credential.id,
    PLATFORM_SECRET: credential.secret,
    PLATFORM_CHANNEL_CODE: sandbox.channelCode,
  };
  const controls = options.controls === true ? `${url}${CONTROL_PREFIX}` : null;
  const text = [
    `The sandbox listens on ${url} with the scenario ${scenario}; its clock shows ${sandbox.clock.now()}.`,
    '',
    ...Object.entries(settings).map(([name, value]) => `export ${name}=${value}`),
    '',
    controls === null
      ? 'Without a control surface; --controls offers one.'
      : `Controls: ${controls}, such as GET ${controls}/accounts`,
    'Ctrl-C stops it.',
  ].join('\n');
  return { document: { schema: 1, scenario, now: sandbox.clock.now(), controls, settings }, text };
}
