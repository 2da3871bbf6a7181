/** How an answer is corrupt on its way: bytes, length, kind, signature. */
import { OutcomeUnknown } from '../../../src/core/errors.ts';
import type { HttpAnswer } from '../../../src/core/ports.ts';
import { CANARY } from '../canaries.ts';
import type { Stream } from './random.ts';

export type AnswerFault = 'garble' | 'truncate' | 'html' | 'badsig' | 'nosig' | 'oversize';

/** What the transport hands on of such an answer, or throws. */
export function corrupt(answer: HttpAnswer, fault: AnswerFault, chance: Stream): HttpAnswer | OutcomeUnknown {
  switch (fault) {
    case 'garble':
      return { ...answer, text: garbled(answer.text, chance) };
    case 'truncate':
      return truncated(answer, chance);
    case 'html':
      return { ...answer, status: chance.one([200, 502]), contentType: 'text/html', text: HTML };
    case 'badsig':
      return { ...answer, text: wronglySigned(answer.text, chance) };
    case 'nosig':
      return { ...answer, text: unsigned(answer.text, chance) };
    case 'oversize':
      return new OutcomeUnknown('sim: the answer is larger than it may be');
  }
}

/** A gateway that shows on its page what it was handed. */
const HTML = `<html><body>gateway: card ${CANARY.card}, phone ${CANARY.mobile}</body></html>`;

function garbled(text: string, chance: Stream): string {
  const at = chance.whole(0, Math.max(0, text.length - 1));
  return `${text.slice(0, at)}${chance.one(['#', '0', '"', 'é'])}${text.slice(at + 1)}`;
}

/** With a stated length the transport sees it; without one a cut text gets through. */
function truncated(answer: HttpAnswer, chance: Stream): HttpAnswer | OutcomeUnknown {
  if (chance.chance(0.5)) return new OutcomeUnknown('sim: the connection ended too early');
  return { ...answer, text: answer.text.slice(0, chance.whole(0, Math.max(0, answer.text.length - 1))) };
}

function wronglySigned(text: string, chance: Stream): string {
  if (chance.chance(0.5)) return failing(text);
  return text.replace(/"sign":"(.)/, (_whole, first: string) => `"sign":"${first === '0' ? '1' : '0'}`);
}

/** Somebody between takes the signature off; half of the time they also say that the settlement failed. */
function unsigned(text: string, chance: Stream): string {
  const bare = text.replace(/,?"sign":"[^"]*"/, '');
  return chance.chance(0.5) ? bare : failing(bare);
}

/** The settlement's word within the texts within the text, at whatever depth of escaping. */
function failing(text: string): string {
  return text
    .replace(/(settleState\\*":\\*")(?:PROCESSING|SUCCESS|INIT)(?=\\*")/g, '$1FAIL')
    .replace(/(payerBankAcctNo.*?\\*"state\\*":\\*")(?:PROCESSING|SUCCESS)(?=\\*")/g, '$1FAIL');
}
