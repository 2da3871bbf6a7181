/** What a night of workers has to say: what the same books come to without any. */
import { expect } from 'vitest';
import { faultOf } from '../../helpers/child.ts';
import { differencesOf, dumpOf } from '../../helpers/dump.ts';
import type { Dump } from '../../helpers/dump.ts';
import { CompanyWithWorkers } from './company-with-workers.ts';

export interface Alone {
  dump: Dump;
  cells: string[];
  /** How often the platform was asked. */
  calls: number;
}

let alone: Promise<Alone> | undefined;

/** The same company without workers, once for all tests of a file. */
export function asAlone(): Promise<Alone> {
  alone ??= playAlone();
  return alone;
}

async function playAlone(): Promise<Alone> {
  const company = await CompanyWithWorkers.open();
  try {
    expect(faultOf(await company.backfill())).toBe('');
    const { db, sandbox } = company.night;
    return { dump: await dumpOf(db), cells: await company.cells(), calls: sandbox.requests().length };
  } finally {
    await company.close();
  }
}

export async function expectAsAlone(company: CompanyWithWorkers): Promise<void> {
  const { dump: expected, cells } = await asAlone();
  expect(expected['deposit']?.length).toBeGreaterThan(1_000);
  expect(differencesOf({ expected, found: await dumpOf(company.night.db) })).toEqual([]);
  expect(await company.cells()).toEqual(cells);
}
