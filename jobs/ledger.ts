/** `recon ledger import`. */
import type { Instant } from '../src/core/time.ts';
import { importLedger } from '../src/intake/import-ledger.ts';
import { LEDGER_LAYOUT } from '../src/intake/read-ledger.ts';
import { withContext } from './command.ts';
import type { CommandNeeds, CommonOptions } from './command.ts';
import { parseInstantOption } from './day-arguments.ts';
import { importOutcome, requireTable } from './import-outcome.ts';

export interface LedgerImportOptions extends CommonOptions {
  source: string;
  replace?: boolean;
  completeTo?: string;
}

export function importLedgerCommand(file: string, options: LedgerImportOptions): Promise<void> {
  const needs: CommandNeeds<Instant | undefined> = {
    platform: false,
    arguments: async ({ zone }) => {
      await requireTable(file, LEDGER_LAYOUT);
      const { completeTo } = options;
      return completeTo === undefined ? undefined : parseInstantOption('--complete-to', completeTo, zone);
    },
  };
  return withContext(options, needs, async (context, completeTo) => {
    const { db, zone, clock, log } = context;
    const bar = context.progress('ledger rows');
    const result = await importLedger({
      db,
      zone,
      clock,
      log,
      path: file,
      source: options.source,
      replace: options.replace === true,
      completeTo,
      progress: (rows) => bar.show({ rows }),
    });
    return importOutcome('ledger', result);
  });
}
