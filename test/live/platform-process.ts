/** The emulator in a process of its own, as an operator starts it, and its control surface. */
import { z } from 'zod';
import { startRecon } from '../helpers/child.ts';
import type { Child } from '../helpers/child.ts';

const saying = z.object({
  controls: z.string(),
  settings: z.object({
    PLATFORM_URL: z.string(),
    PLATFORM_API_KEY: z.string(),
    PLATFORM_SECRET: z.string(),
    PLATFORM_CHANNEL_CODE: z.string(),
  }),
});

const payouts = z.object({
  payouts: z.array(
    z.object({
      outOrderNo: z.string(),
      at: z.string(),
      returnedAt: z.string().optional(),
      reqId: z.string(),
    }),
  ),
});
export type PaidOut = z.output<typeof payouts>['payouts'][number];

export interface PlatformProcess {
  /** What a process needs to call it. */
  settings: z.output<typeof saying>['settings'];
  tell(path: string, what: object): Promise<void>;
  payouts(): Promise<PaidOut[]>;
  close(): Promise<void>;
}

export async function startPlatform(): Promise<PlatformProcess> {
  const child = startRecon(['sandbox', '--port', '0', '--scenario', 'empty', '--controls', '--json'], {});
  const { controls, settings } = saying.parse(JSON.parse(await firstLine(child)));
  return {
    settings,
    tell: async (path, what) => {
      await answerOf(`${controls}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(what),
      });
    },
    payouts: async () => payouts.parse(await answerOf(`${controls}/payouts`)).payouts,
    close: async () => {
      child.process.kill('SIGTERM');
      await child.ended;
    },
  };
}

async function answerOf(url: string, request: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as unknown;
}

function firstLine({ process, ended }: Child): Promise<string> {
  let text = '';
  const line = new Promise<string>((resolve) => {
    process.stdout?.on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
  });
  const failed = ended.then(({ status, stderr }) => {
    throw new Error(`the sandbox ended with ${status}: ${stderr}`);
  });
  return Promise.race([line, failed]);
}
