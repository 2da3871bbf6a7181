/** Amounts in the capital characters that Chinese slips carry, which nobody can alter with a stroke (人民币大写). */
import type { Fen } from '../../core/fen.ts';
import { yuanText } from '../../core/fen.ts';

export const CAPITAL_DIGITS = '零壹贰叁肆伍陆柒捌玖';
export const CAPITAL_UNITS = '拾佰仟万亿元角分整';
const PLACES = ['', '拾', '佰', '仟'];
const GROUPS = ['', '万', '亿', '万'];

/** `100105n` → `壹仟零壹元零伍分`; `20n` → `贰角整`; `0n` → `零元整`. Of an amount that is not negative. */
export function capitalAmount(fen: Fen): string {
  const [yuan = '', cents = ''] = yuanText(fen).split('.');
  const whole = yuan === '0' ? '' : `${capitalWhole(yuan)}元`;
  const [jiao, last] = [digitAt(cents, 0), digitAt(cents, 1)];
  if (cents === '00') return whole === '' ? '零元整' : `${whole}整`;
  const tenths = jiao === '零' ? (whole === '' ? '' : '零') : `${jiao}角`;
  return `${whole}${tenths}${last === '零' ? '整' : `${last}分`}`;
}

function digitAt(digits: string, place: number): string {
  return CAPITAL_DIGITS.charAt(digits.charCodeAt(place) - 48);
}

/** Groups of four digits, each with its unit; one 零 stands for any number of zeros between two digits. */
function capitalWhole(yuan: string): string {
  const padded = yuan.padStart(Math.ceil(yuan.length / 4) * 4, '0');
  let [text, isZeroDue] = ['', false];
  for (let begin = 0; begin < padded.length; begin += 4) {
    const group = padded.slice(begin, begin + 4);
    for (let place = 0; place < 4; place++) {
      const digit = digitAt(group, place);
      if (digit === '零') isZeroDue = text !== '';
      else {
        text += `${isZeroDue ? '零' : ''}${digit}${PLACES[3 - place] ?? ''}`;
        isZeroDue = false;
      }
    }
    const unit = GROUPS[(padded.length - begin) / 4 - 1] ?? '';
    if (group !== '0000' || (unit === '亿' && text !== '')) text += unit;
  }
  return text;
}
