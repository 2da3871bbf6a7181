/** Holds openings and changes; a merchant finds its own only (ENV-28). */
import type { JsonObject } from '../../core/json.ts';
import { optionalText } from '../protocol/params.ts';
import type { ParameterRules } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import type { Change, Opening } from './application.ts';

/** By the platform's number or by the company's own. */
export type ApplicationNo = { reqNo: string } | { outReqNo: string };

export class ApplicationIndex {
  readonly #openings: Opening[] = [];
  readonly #changes: Change[] = [];
  readonly #openingBy = new Map<string, Opening>();
  readonly #changeBy = new Map<string, Change>();
  readonly #ofMerchant = new Map<string, Opening[]>();

  addOpening(opening: Opening): void {
    const { merchant, reqNo, outReqNo, recordId } = opening;
    this.#openings.push(opening);
    for (const no of [{ reqNo }, { outReqNo }, { recordId }])
      this.#openingBy.set(keyOf(merchant, no), opening);
    const own = this.#ofMerchant.get(merchant);
    if (own) own.push(opening);
    else this.#ofMerchant.set(merchant, [opening]);
  }

  addChange(change: Change): void {
    const { opening, reqNo, outReqNo } = change;
    this.#changes.push(change);
    opening.changes.push(change);
    this.#changeBy.set(keyOf(opening.merchant, { reqNo }), change);
    this.#changeBy.set(keyOf(opening.merchant, { outReqNo }), change);
  }

  /** All of them, oldest first. */
  openings(): readonly Opening[] {
    return this.#openings;
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  openingsOf(merchant: string): readonly Opening[] {
    return this.#ofMerchant.get(merchant) ?? [];
  }

  opening(merchant: string, no: ApplicationNo): Opening | undefined {
    return this.#openingBy.get(keyOf(merchant, no));
  }

  openingOfRecord(merchant: string, recordId: string): Opening | undefined {
    return this.#openingBy.get(keyOf(merchant, { recordId }));
  }

  change(merchant: string, no: ApplicationNo): Change | undefined {
    return this.#changeBy.get(keyOf(merchant, no));
  }

  /** @throws Refused when any opening or change of the merchant has the number (OPN-07, CHG-02, LIM-03) */
  requireNewOutReqNo(merchant: string, outReqNo: string): void {
    if (!this.opening(merchant, { outReqNo }) && !this.change(merchant, { outReqNo })) return;
    throw new Refused('DUPLICATE', '商户申请单号重复 (duplicate outReqNo)');
  }
}

function keyOf(merchant: string, no: ApplicationNo | { recordId: string }): string {
  return JSON.stringify([merchant, no]);
}

/** reqNo prevails over outReqNo (OPN-19, CHG-15, CHG-18). @throws Refused when neither is given */
export function applicationNoOf(biz: JsonObject, rules: ParameterRules): ApplicationNo {
  const reqNo = optionalText(biz, 'reqNo', rules) ?? '';
  if (reqNo !== '') return { reqNo };
  const outReqNo = optionalText(biz, 'outReqNo', rules) ?? '';
  if (outReqNo === '') throw wrongParameter('reqNo', 'reqNo or outReqNo is required');
  return { outReqNo };
}

export function noSuchApplication(): Refused {
  return new Refused('NOT_FOUND', '申请单不存在 (no application has this reqNo or outReqNo)');
}
