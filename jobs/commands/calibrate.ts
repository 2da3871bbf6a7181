/** `recon calibrate`: which fee and in-flight hypotheses explain the residuals of the proofs so far. */
import { yuanForPeople } from '../../src/core/fen.ts';
import { jsonText } from '../../src/core/json.ts';
import { calibrate } from '../../src/reconcile/calibrate/calibrate.ts';
import { listCancelling } from '../../src/reconcile/calibrate/calibrate-chain.ts';
import type { Calibration } from '../../src/reconcile/calibrate/calibrate.ts';
import type { Explanation } from '../../src/reconcile/calibrate/hypothesis-search.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { counted } from '../../src/core/text.ts';

export function calibrateCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, profile, zone }) => {
    const found = await calibrate(db, { profile, zoneName: zone.name });
    const text = calibrationText(found, await listCancelling(db));
    return { status: 0, document: { schema: 1, ...found }, text };
  });
}

/** As many as a line holds; `--json` has them all. */
const SHOWN_MAX = 4;

function calibrationText(found: Calibration, cancelling: readonly string[]): string {
  return [residualsText(found, cancelling), ...unprovenText(found)].join('\n');
}

function residualsText({ accounts, unproven, overall }: Calibration, cancelling: readonly string[]): string {
  if (accounts.length === 0) {
    return unproven.length === 0
      ? 'no account has a finished proof yet: recon nightly comes first'
      : 'no account has a proof with an opening and a closing yet: there is no residual to explain';
  }
  if (overall.accountsOff === 0 && cancelling.length > 0) {
    const more = cancelling.length - SHOWN_MAX;
    const names = [...cancelling.slice(0, SHOWN_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
    return `all ${accounts.length} residuals are zero, but proofs left amounts of both signs, which may only cancel: ${names}`;
  }
  if (overall.accountsOff === 0) {
    const what = unproven.length === 0 ? 'every balance' : 'what is proven';
    return `the profile in force explains ${what}: all ${accounts.length} residuals are zero`;
  }
  const off = accounts.filter(({ residualFen }) => residualFen !== 0n);
  const table = tableText(
    ['account', 'residual', 'explained by'],
    off.map(({ accountNo, residualFen, explainedBy }) => [
      accountNo,
      yuanForPeople(residualFen),
      alternatives(explainedBy) || 'no single key and no pair of keys',
    ]),
    { right: [1] },
  );
  const exact = accounts.length - off.length;
  const others = exact === 0 ? [] : [`${counted(exact, 'other account has', 'other accounts have')} none`];
  return [table, ...others, overallText(overall)].join('\n');
}

/** A residual of zero says nothing of an account whose balance was not proven. */
function unprovenText({ unproven }: Calibration): string[] {
  if (unproven.length === 0) return [];
  const rows = unproven.map(({ accountNo, verdict, reason }) => [accountNo, verdict, reason]);
  return ['', tableText(['not proven', 'verdict', 'why'], rows)];
}

function overallText({ accountsOff, explainedBy }: Calibration['overall']): string {
  const all = accountsOff === 1 ? 'the residual' : `all ${accountsOff} residuals`;
  return explainedBy.length === 0
    ? `no single key and no pair of keys makes ${all} zero and leaves the other accounts right`
    : `makes ${all} zero at once: ${alternatives(explainedBy)}`;
}

/** Values of one key stand together: `fees.bearer.transfer = payee or external`. */
function alternatives(explanations: readonly Explanation[]): string {
  const byKey = Map.groupBy(explanations, (one) => (one.with === undefined ? one.key : pairText(one)));
  const texts = [...byKey].map(([key, [first, ...others]]) =>
    first === undefined || first.with !== undefined
      ? key
      : `${key} = ${[first, ...others].map(({ value }) => valueText(value)).join(' or ')}`,
  );
  const more = texts.length - SHOWN_MAX;
  return [...texts.slice(0, SHOWN_MAX), ...(more > 0 ? [`${more} more (--json)`] : [])].join('; ');
}

function pairText({ key, value, with: second }: Explanation): string {
  const first = `${key} = ${valueText(value)}`;
  return second === undefined ? first : `${first} with ${pairText(second)}`;
}

/** As the profile file has it, but for the quotes of a word. */
function valueText(value: Explanation['value']): string {
  return typeof value === 'string' ? value : jsonText(value);
}
