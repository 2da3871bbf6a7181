/** The sandbox inside a program, such as a test suite of another team: started in one line, closed by it. */
import { readProfile } from '../../src/core/profile/profile.ts';
import { systemClock } from '../../src/core/clock.ts';
import { jsonText } from '../../src/core/json.ts';
import { CONTROL_PREFIX } from '../../src/sandbox/control/control.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { ScenarioChoice } from '../../src/sandbox/scenarios/scenario.ts';
import { platformSettings } from './sandbox-settings.ts';

export interface SandboxStart {
  /** `empty` by default; its data are the same for the same seed. */
  scenario?: ScenarioChoice;
  seed?: number;
  /** A free one by default. */
  port?: number;
  /** Other behaviour where the platform's document leaves it open, as PLATFORM_PROFILE has it. */
  profile?: object;
}

export interface SandboxOfTest extends AsyncDisposable {
  url: string;
  /** Of the control surface. */
  controls: string;
  openApi: string;
  /** What a client needs, by the names of the settings. */
  settings: Readonly<
    Record<'PLATFORM_URL' | 'PLATFORM_API_KEY' | 'PLATFORM_SECRET' | 'PLATFORM_CHANNEL_CODE', string>
  >;
  /** Seeds, plans, faults, clock: all that the control surface does, without HTTP. */
  sandbox: Sandbox;
  close(): Promise<void>;
}

/** @throws WrongInput for a port that cannot be had and a scenario or profile that is none */
export async function startSandbox(start: SandboxStart = {}): Promise<SandboxOfTest> {
  const { openApiDocument } = await import('./openapi/openapi.ts');
  const { createSandbox } = await import('../../src/sandbox/server/create-sandbox.ts');
  const { OPENAPI_PATH, serve } = await import('../../src/sandbox/server/serve.ts');
  const { scenario = 'empty', seed = 1, port = 0 } = start;
  const clock = systemClock();
  const profile = readProfile(start.profile && JSON.stringify(start.profile), 'profile');
  const sandbox = createSandbox({ scenario, seed, clock, profile });
  const openApi = jsonText(openApiDocument({ profile, controls: true }));
  const served = await serve(sandbox, { port, controls: true, clock, openApi });
  const { url } = served;
  const close = (): Promise<void> => served.close();
  return {
    url,
    controls: `${url}${CONTROL_PREFIX}`,
    openApi: `${url}${OPENAPI_PATH}`,
    settings: platformSettings(sandbox, url),
    sandbox,
    close,
    [Symbol.asyncDispose]: close,
  };
}
