/** What one execution of step 7 is about: the night's, or that of `recon vouchers`. */
import type { Day, Instant } from '../../../src/core/time.ts';
import type { Lease } from '../../../src/store/database/leases.ts';

export interface VoucherRun {
  runId: string;
  /** The running day, by which retries are counted. */
  today: Day;
  /** Fences what is written; a process that lost it must not take a bundle's place. */
  lease: Lease;
  /**
   * Only what moved money in this window: then everything in it that is not there is asked for, also what waits for
   * a later day or had been given up.
   */
  window?: { from: Instant; to: Instant; fromMonth: string; toMonth: string };
  /** Bundles are looked at whether they changed or not, and their files are put back where they are lost. */
  isEveryBundle?: boolean;
}
