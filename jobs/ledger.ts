/** `recon ledger import`. */
import { WrongInput } from '../src/core/errors.ts';
import { parseDay, parseOffsetInstant } from '../src/core/time.ts';
import type { Instant, Zone } from '../src/core/time.ts';
import { importLedger } from '../src/intake/import-ledger.ts';
import { withContext } from './command.ts';
import type { CommonOptions } from './command.ts';
import { importOutcome } from './import-outcome.ts';

export interface LedgerImportOptions extends CommonOptions {
  source: string;
  replace?: boolean;
  completeTo?: string;
}

export function importLedgerCommand(file: string, options: LedgerImportOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone, clock, log, progress }) => {
    const bar = progress('ledger rows');
    const completeTo = options.completeTo && parseCompleteTo(options.completeTo, zone);
    const result = await importLedger({
      db,
      zone,
      clock,
      log,
      path: file,
      source: options.source,
      replace: options.replace === true,
      ...(completeTo && { completeTo }),
      progress: (rows) => bar.show({ rows }),
    });
    return importOutcome('ledger', result);
  });
}

function parseCompleteTo(text: string, zone: Zone): Instant {
  const day = parseDay(text);
  const instant = parseOffsetInstant(text) ?? zone.parseLocal(text) ?? (day && zone.dayStart(day));
  if (instant !== undefined) return instant;
  throw new WrongInput(
    `--complete-to ${JSON.stringify(text)} is not an instant; write "2026-03-02 00:00:00" or 2026-03-02T00:00:00+08:00`,
  );
}
