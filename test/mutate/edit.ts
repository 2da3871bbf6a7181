/** A rule broken on purpose: one small edit of the source, and the near tests of which at least one must fail. */

export const FOLDERS = ['matching', 'proof', 'windows', 'signing', 'settlement', 'postings'] as const;
export type Folder = (typeof FOLDERS)[number];

export interface Edit {
  folder: Folder;
  /** The rule, as the sentence that is not true any more once it is broken. */
  rule: string;
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  put: string;
  /** Test files, below `test/`. */
  tests: readonly string[];
  /** Where nothing can notice it: why. */
  survives?: string;
}
