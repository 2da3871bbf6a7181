/** What the project makes of one element of `fileList`. */
import { systemClock } from '../../src/core/clock.ts';
import { decodeFile, openChecker } from '../../src/vouchers/check/check.ts';

/** `pdf` when it is a whole one, else why not. */
export async function checkVoucherBytes(base64Text: string): Promise<string> {
  const bytes = decodeFile(base64Text, { bytesMax: 10_000_000, stripDataUri: true });
  if ('fault' in bytes) return bytes.fault;
  const checker = openChecker({ clock: systemClock() });
  try {
    const { condition, remark } = await checker.check(bytes);
    return condition === 'whole' ? 'pdf' : remark;
  } finally {
    await checker.close();
  }
}
