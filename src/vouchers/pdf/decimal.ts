/** Numbers and texts as PDF writes them. */

/** No exponent, at most four decimals, no zeros behind. */
export function decimal(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '');
}

/** A text string: UTF-16, most significant byte first, with its mark, as hex. */
export function pdfText(text: string): string {
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}
