/** A settlement that the platform accepted, and how it goes on; times since the beginning. */
export interface Acceptance {
  reqId: string;
  outOrderNo: string;
  atMs: number;
  /** From then on queries show it. */
  showsMs: number;
  endsMs: number;
  isPaid: boolean;
  returnedMs: number | undefined;
  isOurs: boolean;
}

/** From then on it is failed again. */
export function failsMs({ endsMs, isPaid, returnedMs }: Acceptance): number {
  return isPaid ? (returnedMs ?? Infinity) : endsMs;
}
