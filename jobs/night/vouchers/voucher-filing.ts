/**
 * Takes in the files of one answer: each is decoded, checked in a process of its own and filed as it came, before a row
 * says so (VCH-06, VCH-09, I6–I8). What is no PDF is not kept and is listed with its reason; nothing is dropped.
 */
import { createHash } from 'node:crypto';
import { findKnownFile } from '../../../src/store/vouchers/voucher-judgements.ts';
import type { KnownFile } from '../../../src/store/vouchers/voucher-judgements.ts';
import type { VoucherFile } from '../../../src/store/vouchers/voucher-save.ts';
import type { Context } from '../../context/context.ts';

/** A voucher is a page or a few, some 50 KB; a scan of several pages in colours stays below. */
const FILE_BYTES_MAX = 16_777_216;

export interface Filing {
  /** In the order of the answer, all elements and not only the first. @throws Stopped when the disk refuses */
  file(texts: readonly string[]): Promise<VoucherFile[]>;
  close(): Promise<void>;
}

/** The libraries are heavy and only loaded where there is something to fetch. */
export async function openFiling({ db, files, settings, profile, realClock }: Context): Promise<Filing> {
  const { decodeFile, openChecker } = await import('../../../src/vouchers/check/check.ts');
  const { fileOriginal } = await import('../../../src/vouchers/archive.ts');
  const checker = openChecker({ clock: realClock });
  const { stripDataUri } = profile.vouchers;
  const judging = new Map<string, Promise<KnownFile>>();
  /** The same bytes for several orders are judged once, even when they come at the same time. */
  const once = (digest: string, judge: () => Promise<KnownFile>): Promise<KnownFile> => {
    const known = judging.get(digest);
    if (known !== undefined) return known;
    const judged = judge();
    judging.set(digest, judged);
    return judged;
  };
  const fileOne = async (text: string): Promise<Omit<VoucherFile, 'fileNo'>> => {
    const decoded = decodeFile(text, { bytesMax: FILE_BYTES_MAX, stripDataUri });
    if ('fault' in decoded) {
      const bytes = Buffer.byteLength(text, 'utf8');
      return { ...rejected(text, decoded.fault), bytes };
    }
    const digest = createHash('sha256').update(decoded).digest('hex');
    const checked = await once(
      digest,
      async () => (await findKnownFile(db, digest)) ?? checker.check(decoded),
    );
    if (checked.condition === 'rejected') {
      return { ...rejected(decoded, checked.remark), bytes: decoded.byteLength };
    }
    const { sha256 } = await fileOriginal(files, settings.home, decoded);
    return { ...checked, sha256, bytes: decoded.byteLength };
  };
  return {
    file: async (texts) => {
      const filed: VoucherFile[] = [];
      for (const text of texts) filed.push({ fileNo: filed.length + 1, ...(await fileOne(text)) });
      return filed;
    },
    close: () => checker.close(),
  };
}

/** Its digest, so that who has the file elsewhere can tell that it is the one. */
function rejected(content: string | Uint8Array, remark: string): Omit<VoucherFile, 'fileNo' | 'bytes'> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { sha256, pages: null, condition: 'rejected', remark };
}
