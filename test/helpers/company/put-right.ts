/** `recon orders import --replace`: what is right of orders, whatever was registered of them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { importOrders } from '../../../src/intake/import-orders.ts';
import type { Night } from '../night.ts';
import { zone } from '../service-time.ts';
import { ordersCsv } from './company-files.ts';
import type { OrderLine } from './company-files.ts';

export async function putRight(
  { db, home, clock, log }: Pick<Night, 'db' | 'home' | 'clock' | 'log'>,
  ...lines: readonly OrderLine[]
): Promise<void> {
  const file = path.join(home, 'right.csv');
  await writeFile(file, ordersCsv(lines));
  const { faults } = await importOrders({ db, zone, clock, log, path: file, replace: true });
  expect(faults).toEqual([]);
}
