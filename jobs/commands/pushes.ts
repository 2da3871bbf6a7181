/** `recon pushes list`: what the platform pushed, and what came of it. */
import type { Zone } from '../../src/core/time.ts';
import { countListed, listPushes } from '../../src/store/pushes/push-stock.ts';
import type { ListedPush } from '../../src/store/pushes/push-stock.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';

export interface PushListOptions extends CommonOptions {
  unregistered?: boolean;
  all?: boolean;
}

/** A screenful or a few; who wants more says so. */
const LISTED_USUALLY = 200;
/** Anybody may have sent them, and nobody reads more. */
const LISTED_MAX = 1_000;

export function listPushesCommand(options: PushListOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const limit = options.all === true ? LISTED_MAX : LISTED_USUALLY;
    const onlyUnregistered = options.unregistered === true;
    const pushes = await listPushes(db, { onlyUnregistered, limit });
    const total = pushes.length < limit ? pushes.length : await countListed(db, { onlyUnregistered });
    const more = Math.max(0, total - pushes.length);
    const text = `${listText(pushes, zone)}${moreText(more, options)}`;
    return { status: 0, document: { schema: 1, pushes, more }, text };
  });
}

function moreText(more: number, { all }: PushListOptions): string {
  if (more === 0) return '';
  return `\nand ${more} older${all === true ? '' : `; --all lists the latest ${LISTED_MAX}`}`;
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
