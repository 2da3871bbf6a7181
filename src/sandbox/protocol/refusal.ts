/**
 * Refusals. They are thrown wherever a rule is broken and become an envelope in one place (`answer.ts`). The
 * codes are the sandbox's own: the document names none but success (U42).
 */

export const REFUSAL_CODES = {
  METHOD: '100405',
  PATH: '100404',
  CONTENT_TYPE: '100415',
  BODY: '100400',
  CREDENTIAL: '100401',
  SIGNATURE: '100402',
  TIME: '100403',
  REPLAY: '100409',
  TOO_FREQUENT: '100429',
  PARAMETER: '200001',
  DATE_RANGE: '200002',
  NOT_FOUND: '300001',
  NOT_OFFERED: '300002',
  DUPLICATE: '300003',
  ACCOUNT: '300004',
  BALANCE: '300005',
  STATE: '300006',
  SMS: '300007',
  PASSWORD: '300008',
  PLAN: '300009',
  NOT_READY: '300010',
} as const;

export type RefusalKind = keyof typeof REFUSAL_CODES;

/** The request is answered with a code other than success, and nothing has changed. */
export class Refused extends Error {
  readonly code: string;
  readonly httpStatus: number;

  constructor(kind: RefusalKind, message: string, options?: { code?: string; httpStatus?: number }) {
    super(message);
    this.name = 'Refused';
    this.code = options?.code ?? REFUSAL_CODES[kind];
    this.httpStatus = options?.httpStatus ?? 200;
  }
}

/** A business parameter that is absent or has a wrong form. */
export function wrongParameter(name: string, why: string): Refused {
  return new Refused('PARAMETER', `参数错误 (parameter ${name}): ${why}`);
}
