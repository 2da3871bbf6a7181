/** `recon sandbox`: the emulator of the platform on loopback, until it is stopped. All it holds is synthetic. */
import { hostEnvironment, readSettings } from '../../src/core/config/config.ts';
import { WrongInput, messageOf } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { openLog } from '../../src/core/log.ts';
import { nearest } from '../../src/core/nearest.ts';
import type { Clock, Log } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { Zone } from '../../src/core/time.ts';
import { CONTROL_PREFIX } from '../../src/sandbox/control/control.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/server/create-sandbox.ts';
import { OPENAPI_PATH, serve } from '../../src/sandbox/server/serve.ts';
import type { ServeOptions, ServedCore, ServedSandbox } from '../../src/sandbox/server/serve.ts';
import type { KeptSandbox } from '../../src/sandbox/state/kept-sandbox.ts';
import { finish, hideInMessages, printOutcome } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import { clockOf, readProfileOf } from '../context/context.ts';
import { aborted, stopOnSignals } from '../context/stop-signals.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { platformSettings } from './sandbox-settings.ts';

export interface SandboxCommandOptions extends CommonOptions {
  port: number;
  /** By default that of the state file, where there is one, else `demo`. */
  scenario?: string;
  controls?: boolean;
  /** The file it is kept in; without one nothing of it outlives the process. */
  state?: string;
}

const SCENARIOS = ['demo', 'empty', 'volume'] as const;
type Scenario = (typeof SCENARIOS)[number];
const DEFAULT_SCENARIO: Scenario = 'demo';

export function sandboxCommand(options: SandboxCommandOptions): Promise<void> {
  return finish(options, async () => {
    const scenario = options.scenario === undefined ? undefined : parseScenario(options.scenario);
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
    const running = await open({ path: options.state, scenario, clock, profile });
    try {
      await serveUntilStopped(running, { options, clock, log, profile });
    } finally {
      running.kept?.close();
    }
    return { status: 0, document: undefined, text: '' };
  });
}

interface Running {
  sandbox: ServedCore & Pick<Sandbox, 'credentials' | 'channelCode'>;
  scenario: string;
  kept: KeptSandbox | undefined;
}

async function open(
  of: { path: string | undefined; scenario: Scenario | undefined } & Required<
    Pick<SandboxOptions, 'clock' | 'profile'>
  >,
): Promise<Running> {
  const { path, scenario, clock, profile } = of;
  if (path === undefined) {
    const chosen = scenario ?? DEFAULT_SCENARIO;
    return {
      sandbox: createSandbox({ scenario: chosen, clock, profile }),
      scenario: chosen,
      kept: undefined,
    };
  }
  const { openKeptSandbox } = await import('../../src/sandbox/state/kept-sandbox.ts');
  const kept = await openKeptSandbox({
    path,
    clock,
    profile,
    usualScenario: DEFAULT_SCENARIO,
    ...(scenario === undefined ? {} : { scenario }),
  });
  return { sandbox: kept.sandbox, scenario: kept.scenario, kept };
}

/** @throws Stopped when its state can no longer be kept */
async function serveUntilStopped(
  running: Running,
  {
    options,
    clock,
    log,
    profile,
  }: { options: SandboxCommandOptions; clock: Clock; log: Log; profile: Profile },
): Promise<void> {
  const { sandbox, kept } = running;
  const controls = options.controls === true;
  const openApi = jsonText(openApiDocument({ profile, controls }));
  const served = await listen(sandbox, { port: options.port, controls, clock, openApi });
  const stopping = stopOnSignals({ log, clock, status: 0 });
  try {
    await printOutcome(options, sayingOf(running, { url: served.url, options }));
    await Promise.race([aborted(stopping.signal), ...(kept ? [aborted(kept.broken)] : [])]);
  } finally {
    await served.close();
    stopping.forget();
  }
  kept?.broken.throwIfAborted();
}

function parseScenario(text: string): Scenario {
  const found = SCENARIOS.find((name) => name === text);
  if (found !== undefined) return found;
  const meant = nearest(text, SCENARIOS);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new WrongInput(`--scenario ${JSON.stringify(text)} is none of ${SCENARIOS.join(', ')}${hint}`);
}

async function listen(sandbox: ServedCore, at: ServeOptions & { port: number }): Promise<ServedSandbox> {
  try {
    return await serve(sandbox, at);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new WrongInput(`--port ${at.port} cannot be used: ${messageOf(error)}`, [], {}, { cause: error });
  }
}

interface Saying {
  url: string;
  options: SandboxCommandOptions;
}

/** Who starts it wants to use it: the settings come ready to be pasted. */
function sayingOf({ sandbox, scenario, kept }: Running, { url, options }: Saying) {
  const settings = platformSettings(sandbox, url);
  const controls = options.controls === true ? `${url}${CONTROL_PREFIX}` : null;
  const openApi = `${url}${OPENAPI_PATH}`;
  const text = [
    `The sandbox listens on ${url} with the scenario ${scenario}; its clock shows ${sandbox.clock.now()}.`,
    '',
    ...Object.entries(settings).map(([name, value]) => `export ${name}=${value}`),
    '',
    controls === null
      ? 'Without a control surface; --controls offers one.'
      : `Controls: ${controls}, such as GET ${controls}/accounts`,
    `OpenAPI: ${openApi}`,
    ...(kept ? [keptText(kept)] : []),
    'Ctrl-C stops it.',
  ].join('\n');
  const state = kept ? { path: kept.path, played: kept.played, cutBytes: kept.cutBytes } : null;
  return {
    document: { schema: 1, scenario, now: sandbox.clock.now(), controls, openApi, settings, state },
    text,
  };
}

function keptText({ path, played, cutBytes }: KeptSandbox): string {
  const torn = `; ${cutBytes} bytes at its end were cut off: the process before was killed while it wrote them`;
  return `Its state is kept in ${path}: ${played} inputs were played again${cutBytes > 0 ? torn : ''}.`;
}
