/** A sandbox behind a real server, and the executable that calls it. */
import path from 'node:path';
import { parseCall } from '../../jobs/call/call-request.ts';
import { makeCall } from '../../jobs/call/call.ts';
import { openContext } from '../../jobs/context/context.ts';
import { systemClock } from '../../src/core/clock.ts';
import { jsonText } from '../../src/core/json.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { runCli, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';
import { serverUrl, testDatabase } from '../helpers/database.ts';

/** The `--json` document of a call. */
export interface CallDocument {
  outcome: string;
  reqId: string | null;
  code: string | null;
  msg: string;
  timestamp: string | null;
  data: Record<string, unknown> | null;
}

export interface Said {
  status: number;
  /** What people see on stdout. */
  text: string;
  /** The lines on stderr. */
  told: readonly string[];
  document: CallDocument;
}

export interface CallWorld {
  sandbox: Sandbox;
  folder: TemporaryFolder;
  env: Record<string, string>;
  /** `recon call ENDPOINT DATA --yes`, within this process. */
  call(endpoint: string, data: object, isUnchecked?: boolean): Promise<Said>;
  /** The same by the executable. */
  run(...args: readonly string[]): Promise<CliOutcome>;
  /** The business data the sandbox received at that endpoint last. */
  received(endpoint: string): unknown;
  close(): Promise<void>;
}

export async function callWorld(): Promise<CallWorld> {
  const folder = await temporaryFolder();
  const server = serverUrl === undefined ? undefined : await testDatabase();
  const sandbox = createSandbox({ clock: systemClock() });
  const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  const env = {
    RECON_HOME: path.join(folder.path, 'home'),
    PLATFORM_URL: served.url,
    PLATFORM_API_KEY: credential?.id ?? '',
    PLATFORM_SECRET: credential?.secret ?? '',
    PLATFORM_CHANNEL_CODE: sandbox.channelCode,
    LOG_LEVEL: 'error',
    ...(server?.url !== undefined && { DATABASE_URL: server.url }),
  };
  const context = await openContext({}, { platform: true }, env);
  return {
    sandbox,
    folder,
    env,
    call: async (endpoint, data, isUnchecked = false) => {
      const told: string[] = [];
      const typed = { endpoint, json: JSON.stringify(data), isConfirmed: true, isUnchecked };
      const call = await parseCall(typed, context);
      const { status, text, document } = await makeCall(context, call, (line) => told.push(line));
      return { status, text, told, document: asSent(document) };
    },
    run: (...args) =>
      runCli(['call', ...args], { env: { ...env, RECON_HOME: `${env.RECON_HOME}-2` }, cwd: folder.path }),
    received: (endpoint) => {
      const last = sandbox.requests().findLast((request) => request.path.includes(endpoint));
      const envelope = JSON.parse(last?.body ?? '{}') as { bizData: string };
      return JSON.parse(envelope.bizData) as unknown;
    },
    close: async () => {
      await context.close();
      await served.close();
      await server?.close();
      await folder.remove();
    },
  };
}

/** As `--json` prints it. */
function asSent(document: unknown): CallDocument {
  return JSON.parse(jsonText(document)) as CallDocument;
}

/** The executable with something on its stdin. */
export function callWithStdin(
  args: readonly string[],
  env: Record<string, string>,
  stdin: string,
): Promise<CliOutcome> {
  return runCli(['call', ...args], { env, stdin });
}
