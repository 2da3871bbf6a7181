/** Has a run remember the profile it was made under, as the job's own runs do. */
import { profileAssumptions, profileDigest } from '../../src/core/profile/profile.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Db } from '../../src/store/schema/schema.ts';

export async function recordProfile(db: Db, runId: string, profile: Profile): Promise<void> {
  await db
    .updateTable('run')
    .set({
      profile_digest: profileDigest(profile),
      assumptions: JSON.stringify(profileAssumptions(profile)),
    })
    .where('run_id', '=', runId)
    .execute();
}
