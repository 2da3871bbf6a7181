/**
 * A process that dies at a chosen call of a port: before the call or right after it took effect. From then on
 * nothing reaches the world any more, as after a kill.
 */
import type { KyselyPlugin } from 'kysely';
import type { Context } from '../../jobs/context/context.ts';
import type { Files } from '../../src/core/ports.ts';
import type { PlatformClient } from '../../src/platform/client.ts';

export class Death extends Error {}

/** How many calls of ports were made, and at which of them the process dies. */
export class Fate {
  calls = 0;
  readonly #diesAt: number;
  readonly #when: 'before' | 'after';

  /** @param death nothing: the process lives, and its calls are counted */
  constructor(death: { atCall: number; when: 'before' | 'after' } = { atCall: Infinity, when: 'before' }) {
    this.#diesAt = death.atCall;
    this.#when = death.when;
  }

  /** To be told before each call. */
  before(): void {
    this.calls += 1;
    const isDead = this.calls > this.#diesAt;
    if (isDead || (this.calls === this.#diesAt && this.#when === 'before'))
      throw new Death('killed before a call');
  }

  /** To be told when a call has taken effect. */
  after(): void {
    if (this.calls >= this.#diesAt) throw new Death('killed after a call');
  }

  async around<T>(work: () => Promise<T>): Promise<T> {
    this.before();
    const result = await work();
    this.after();
    return result;
  }
}

/** The same process, mortal at its database, its platform and its files. */
export function mortal<C extends Context>(process: C, fate: Fate): C {
  return {
    ...process,
    db: process.db.withPlugin(pluginOf(fate)),
    platform: async () => clientOf(await process.platform(), fate),
    files: filesOf(process.files, fate),
  };
}

function pluginOf(fate: Fate): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      fate.before();
      return node;
    },
    transformResult: ({ result }) => {
      fate.after();
      return Promise.resolve(result);
    },
  };
}

function clientOf(client: PlatformClient, fate: Fate): PlatformClient {
  return {
    call: (endpoint, request) => fate.around(() => client.call(endpoint, request)),
    callIntended: (endpoint, request, intent) =>
      fate.around(() => client.callIntended(endpoint, request, intent)),
    callRaw: (endpoint, biz) => fate.around(() => client.callRaw(endpoint, biz)),
    counters: () => client.counters(),
    clockOffsetMs: () => client.clockOffsetMs(),
    habit: () => client.habit(),
  };
}

function filesOf(files: Files, fate: Fate): Files {
  return {
    writeWhole: (path, bytes) => fate.around(() => files.writeWhole(path, bytes)),
    writeWholeWith: (path, produce) => fate.around(() => files.writeWholeWith(path, produce)),
    writeNew: (path, text) => fate.around(() => files.writeNew(path, text)),
    read: (path) => fate.around(() => files.read(path)),
    size: (path) => fate.around(() => files.size(path)),
    sha256: (path) => fate.around(() => files.sha256(path)),
    makeFolder: (path) => fate.around(() => files.makeFolder(path)),
  };
}
