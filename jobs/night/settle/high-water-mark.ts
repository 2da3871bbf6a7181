/**
 * The mark outside the database and RECON_HOME: the last change before anything was sent, the request that was sent,
 * the starts of the machine and of the database's server at which that was written, and until when nothing may be
 * sent after a restore. A memory that does not know it was set back (H18).
 */
import path from 'node:path';
import { Stopped } from '../../../src/core/errors.ts';
import type { Files } from '../../../src/core/ports.ts';
import type { Instant } from '../../../src/core/time.ts';

export interface MarkState {
  /** Which books it was written for; empty in one that was written before it named them. */
  books: string;
  /** Number of the last change before anything was sent, or of the last there was. */
  sequence: bigint;
  /** The request that change was for; empty where nothing was sent with it. */
  reqId: string;
  /** Which start of the machine it was written at; empty where the machine does not say. */
  boot: string;
  /** Which start of the database's server it was written at; empty where the server does not say. */
  server: string;
  /** The end of the hold after the last restore that was found; undefined: none ever was. */
  heldUntil: Instant | undefined;
  /** Nobody has lived through the wait yet. */
  isDoubtful: boolean;
}

export interface SettleMark {
  /** Undefined when there is none: nothing was ever sent from here, or that is forgotten. */
  read(): Promise<MarkState | undefined>;
  /** Durable when it resolves. */
  write(state: MarkState): Promise<void>;
}

/** Sequence, request, machine, trust; server, hold, books, which one that was written before they were known lacks. */
const MARK_FORM =
  /^(\d{1,19}) ([0-9A-Za-z]{1,64}|-) ([0-9A-Za-z-]{1,64}) (sure|doubtful)(?: ([0-9./]{1,80}|-) ([0-9TZ:.-]{1,32}) ([0-9TZ:.-]{1,32}))?\n$/;

export function fileMark(files: Files, file: string): SettleMark {
  return {
    read: async () => {
      if ((await files.size(file)) === undefined) return undefined;
      const match = MARK_FORM.exec(Buffer.from(await files.read(file)).toString('utf8'));
      const [, sequence, reqId, boot, trust, server, heldUntil, books] = match ?? [];
      if (sequence !== undefined) {
        return {
          books: wordOf(books),
          sequence: BigInt(sequence),
          reqId: wordOf(reqId),
          boot: wordOf(boot),
          server: wordOf(server),
          heldUntil: wordOf(heldUntil) || undefined,
          isDoubtful: trust !== 'sure',
        };
      }
      throw new Stopped(
        `${file} does not hold what was written there: what was sent from here is not known; ` +
          'remove it, and the wait after a restore begins',
        { path: file },
      );
    },
    write: async ({ books, sequence, reqId, boot, server, heldUntil, isDoubtful }) => {
      await files.makeFolder(path.dirname(file));
      const trust = isDoubtful ? 'doubtful' : 'sure';
      const words = [String(sequence), reqId, boot, trust, server, heldUntil ?? '', books];
      await files.writeWhole(file, `${words.map((word) => word || '-').join(' ')}\n`);
    },
  };
}

function wordOf(word = '-'): string {
  return word === '-' ? '' : word;
}
