/** A worker of `npm run simulate`: runs the ranges it is handed, one after the other, on a store of its own. */
import { runBatch } from './batch.ts';
import type { BatchRequest } from './batch.ts';
import { openStore } from './open-store.ts';
import type { StoreKind } from './open-store.ts';

const store = await openStore(process.argv[2] as StoreKind);

process.on('message', (request: Omit<BatchRequest, 'until'> | 'end') => {
  if (request === 'end') {
    void store.close().then(() => process.exit(0));
    return;
  }
  runBatch(store, request).then(
    (report) => process.send?.(report),
    (error: unknown) =>
      process.send?.({ error: `seeds ${request.first}..${request.last}: ${String(error)}` }),
  );
});
// A command that was killed must not leave its workers behind.
process.on('disconnect', () => process.exit(1));
process.send?.('ready');
