/** `recon pushes list`: what the platform pushed, and what came of it. */
import type { Zone } from '../src/core/time.ts';
import { listPushes } from '../src/store/push-stock.ts';
import type { ListedPush } from '../src/store/push-stock.ts';
import { withContext } from './command.ts';
import type { CommonOptions } from './command.ts';
import { tableText } from './table-text.ts';

export interface PushListOptions extends CommonOptions {
  unregistered?: boolean;
  all?: boolean;
}

/** A screenful or a few; who wants more says so. */
const LISTED_MAX = 200;

export function listPushesCommand(options: PushListOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const limit = options.all === true ? undefined : LISTED_MAX;
    const found = await listPushes(db, {
      onlyUnregistered: options.unregistered === true,
      limit: limit === undefined ? undefined : limit + 1,
    });
    const pushes = found.slice(0, limit);
    const more = found.length > pushes.length ? `\nthe latest ${LISTED_MAX}; --all lists every one` : '';
    return { status: 0, document: { schema: 1, pushes }, text: `${listText(pushes, zone)}${more}` };
  });
}

function listText(pushes: readonly ListedPush[], zone: Zone): string {
  if (pushes.length === 0) return 'no pushes';
  return tableText(
    ['last seen', 'kind', 'own number', 'platform number', 'account', 'says', 'signed', 'times', 'became'],
    pushes.map((push) => [
      zone.localText(push.lastSeenAt),
      push.kind,
      push.ownNo,
      push.platformNo,
      push.accountNo,
      push.statedState,
      push.signed ? 'yes' : 'no',
      String(push.timesSeen),
      push.note === '' ? push.state : `${push.state}: ${push.note}`,
    ]),
    { right: [7] },
  );
}
