/**
 * The workbook of a world's last night is written, which tells all that is left; those of the nights before it, at
 * which nobody looks, take a fifth of a world's time.
 */
import { vi } from 'vitest';
import type { PublishedWorkbook, WorkbookRequest } from '../../reports/workbook.ts';

let areWritten = true;

export function writeWorkbooks(of: { isLastNight: boolean }): void {
  areWritten = of.isLastNight;
}

/** Before the first night: the job loads what writes them when it first publishes. */
export function leaveOutWorkbooks(): void {
  vi.doMock('../../reports/workbook.ts', async (original) => {
    const { publishWorkbook } = await original<typeof import('../../reports/workbook.ts')>();
    return {
      publishWorkbook: (request: WorkbookRequest) =>
        areWritten ? publishWorkbook(request) : emptyWorkbook(request),
    };
  });
}

async function emptyWorkbook({ files, path }: WorkbookRequest): Promise<PublishedWorkbook> {
  await files.writeWhole(path, '');
  return { path, paths: [path], sheets: [] };
}
