/** `recon doctor` tells how far the books are stated complete, and warns where no night can come to a verdict for that. */
import { expect, test } from 'vitest';
import { checkLedger } from '../../jobs/doctor/doctor-ledger.ts';
import { noteMissing, saveCompleteTo } from '../../src/store/intake/ledger-complete.ts';
import { emptiedDatabase } from '../helpers/emptied-database.ts';
import { at, zone } from '../helpers/night.ts';

test('books that come by themselves have to state it, and as far as to the night before the last', async () => {
  const { db } = await emptiedDatabase();
  const look = (day: string, comesByItself = true) => {
    const clock = { wall: () => at(`${day} 10:00:00`) } as never;
    return checkLedger(db, { zone, clock, comesByItself });
  };
  expect(await look('2026-03-05', false)).toMatchObject({ state: 'ok' });
  expect(await look('2026-03-05')).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('every night stays incomplete; deliver a file with its day') as string,
  });
  await db
    .transaction()
    .execute((trx) => saveCompleteTo(trx, { source: 'erp', completeTo: at('2026-03-04 00:00:00'), zone }));
  const complete = { name: 'ledger', state: 'ok', detail: 'complete: erp to 2026-03-04 00:00:00' };
  expect([await look('2026-03-04'), await look('2026-03-05')]).toEqual([complete, complete]);
  expect(await look('2026-03-06')).toEqual({
    name: 'ledger',
    state: 'warn',
    detail: `${complete.detail}; nights of later days stay incomplete until more comes`,
  });
  await noteMissing(db, { source: 'pos', tried: ['2026-03-03'], waiting: [], zone });
  expect(await look('2026-03-04')).toEqual({
    name: 'ledger',
    state: 'warn',
    detail: `${complete.detail}, pos has not come yet; nights of later days stay incomplete until more comes`,
  });
});
