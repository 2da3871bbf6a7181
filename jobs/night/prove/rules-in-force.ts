/** The rules a proof is computed with, as the run records them: one set for its figures and for its label. */
import { jsonText } from '../../../src/core/json.ts';
import { profileAssumptions } from '../../../src/core/profile/profile.ts';
import type { RunFacts } from '../../../src/store/runs/runs.ts';
import type { Context } from '../../context/context.ts';

export function rulesInForce({
  settingsDigest,
  profileDigest,
  profile,
}: Context): Pick<RunFacts, 'settingsDigest' | 'profileDigest' | 'assumptions'> {
  // What the emulator is told is no assumption about the platform.
  const assumptions = profileAssumptions(profile).filter(({ key }) => !key.startsWith('emulator.'));
  return { settingsDigest, profileDigest, assumptions: jsonText(assumptions) };
}
