/** Text of other people without its personal numbers (S6). */
import { maskPersonal } from '../../src/core/mask.ts';

/** Digit runs that could be the number of an account. */
export const LONG_NUMBER = /(?<!\d)(\d{8,32})(?!\d)/;

/** Text of other people: masked, with the registry accounts of the company left open. @param told as `maskPersonal` has it */
export function maskedText(
  { accountNames }: { accountNames: { has: (accountNo: string) => boolean } },
  text: string,
  told?: Parameters<typeof maskPersonal>[1],
): string {
  if (!LONG_NUMBER.test(text)) return text === '' ? '' : maskPersonal(text, told);
  let shown = '';
  let pending = '';
  for (const [at, part] of text.split(LONG_NUMBER).entries()) {
    const isOwn = at % 2 === 1 && accountNames.has(part);
    if (!isOwn) pending += part;
    else {
      shown += maskPersonal(pending, told) + part;
      pending = '';
    }
  }
  return shown + maskPersonal(pending, told);
}
