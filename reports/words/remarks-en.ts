/** The proof's own remarks in English where the sentence that is stored is not one for accountants. */
import type { Terms } from './terms.ts';

export const remarksEn: Terms['remarks'] = [
  [
    /^(\w+) is not whole fen from 0 to 10\^15: "?(.*?)"?$/s,
    '$1 is no amount that can be read; the platform states “$2”',
  ],
  [
    /^amount (\d+), fee (\d+) (\S*), (credited|paid out) (\d+) fen$/,
    'amount $1 fen, fee $2 fen ($3), $4 $5 fen',
  ],
  [/^(\S+) was (-?\d+) fen and is (-?\d+) now$/, '$1 was $2 fen and is $3 fen now'],
  [
    /^order (\S+): amount (\d+) and (\d+) fen were both registered$/,
    'order $1: $2 fen and $3 fen were both registered',
  ],
  [/^(\d+) fen were registered, (\d+) are stated$/, '$1 fen were registered, $2 fen are stated'],
  [/^it is (\S+), and refundAmount is (\d+)$/, 'it is $1, and refundAmount is $2 fen'],
  [/^frozen amount against what orders in flight hold$/, 'the two should be equal'],
  [/^was (\d+) fen at (.*)$/, 'was $1 fen, dated $2'],
  [/^open on the platform since (.*)$/, 'on its way on the platform since $1'],
];
