/** Reads a ledger file to its end as an import does and prints its rows and faults: for a process with little memory. */
import { Zone } from '../../src/core/time.ts';
import { FaultList } from '../../src/intake/fault-list.ts';
import { LEDGER_LAYOUT, readLedgerRow } from '../../src/intake/read-ledger.ts';
import { openTable } from '../../src/intake/table-file.ts';

const table = await openTable(process.argv[2] ?? '', LEDGER_LAYOUT);
const reading = { zone: new Zone('Asia/Shanghai'), faults: new FaultList(), columns: table.columns };
let [rows, cells] = [0, 0];
for await (const batch of table.batches()) {
  rows += batch.length;
  for (const row of batch) cells += Object.keys(readLedgerRow(row, reading)).length;
}
await table.close();
process.stdout.write(`${rows} rows, ${cells} cells, ${reading.faults.count} faults\n`);
