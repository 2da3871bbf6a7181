/**
 * Who holds a subject: at most one opening under review, at most one account (OPN-01…05). An identity that a change
 * will give to an account is held by that change until it is over. All within one merchant (ENV-28).
 */
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { isOpen, replacementAt } from '../world/account.ts';
import { isPending } from './application-life.ts';
import { identityOf, subjectAt } from './application.ts';
import type { Change, Opening, Subject } from './application.ts';

/**
 * @param by.opening the opening that is resubmitted; undefined for a new one
 * @throws Refused for an individual as initiator, and where the subject is held by another
 */
export function requireOpeningFree(
  world: World,
  subject: Subject,
  by: { merchant: string; role: 'FQ' | 'JS'; opening: Opening | undefined },
): void {
  const { merchant, role, opening } = by;
  if (subject['entPerFlag'] === 'P' && role === 'FQ') {
    throw wrongParameter('acctRole', 'an individual can only open as JS');
  }
  const identity = identityOf(subject);
  requireNoneUnderReview(world, { merchant, identity, except: opening });
  const accounts = accountsOf(world, merchant, identity);
  if (accounts.length === 0) return;
  const replaces =
    subject['entPerFlag'] === 'E' && role === 'FQ' && accounts.every((own) => own.role === 'JS');
  if (!replaces) throw new Refused('ACCOUNT', '主体已开户 (the subject has an account already)');
  if (changesIdentity(world, merchant, identity)) throw underReview();
}

/**
 * @param change what is asked for, not yet on the shelf
 * @throws Refused where the identity it brings is held by another, or its own is about to be replaced
 */
export function requireChangeFree(world: World, change: Pick<Change, 'opening' | 'replaced'>): void {
  const { opening, replaced } = change;
  const { merchant } = opening;
  const current = subjectAt(opening, world.clock.nowMs());
  const identity = identityOf({ ...current, ...replaced });
  if (identity === identityOf(current)) return;
  requireNoneUnderReview(world, { merchant, identity, except: undefined });
  requireNoneUnderReview(world, { merchant, identity: identityOf(current), except: undefined });
  const isHeld = accountsOf(world, merchant, identity).some((account) => account !== opening.account);
  if (isHeld) throw new Refused('ACCOUNT', '主体已开户 (another account has this identity already)');
}

/** The accounts of a subject that no other has replaced. */
export function accountsOf(world: World, merchant: string, identity: string): Account[] {
  const nowMs = world.clock.nowMs();
  return [...world.accounts.values()].filter(
    (account) =>
      account.merchant === merchant &&
      isOpen(account, nowMs) &&
      account.subjectId === identity &&
      replacementAt(account, nowMs) === undefined,
  );
}

/** @throws Refused when an opening of that identity is not over, or a change that will give it to an account */
function requireNoneUnderReview(
  world: World,
  of: { merchant: string; identity: string; except: Opening | undefined },
): void {
  const nowMs = world.clock.nowMs();
  for (const opening of world.applications.openingsOf(of.merchant)) {
    const isIts = opening !== of.except && identityOf(opening.subject) === of.identity;
    if (isIts && isPending(opening.life, nowMs)) throw underReview();
    if (opening.changes.some((change) => bringsIdentity(change, of.identity, nowMs))) throw underReview();
  }
}

function bringsIdentity({ opening, replaced, life }: Change, identity: string, nowMs: number): boolean {
  if (!isPending(life, nowMs)) return false;
  const current = subjectAt(opening, nowMs);
  return identityOf(current) !== identity && identityOf({ ...current, ...replaced }) === identity;
}

/** An account of that identity is about to get another one. */
function changesIdentity(world: World, merchant: string, identity: string): boolean {
  const nowMs = world.clock.nowMs();
  return world.applications.openingsOf(merchant).some((opening) => {
    const current = subjectAt(opening, nowMs);
    if (identityOf(current) !== identity) return false;
    return opening.changes.some(
      ({ life, replaced }) => isPending(life, nowMs) && identityOf({ ...current, ...replaced }) !== identity,
    );
  });
}

function underReview(): Refused {
  return new Refused('STATE', '主体有审核中的申请 (the subject has an application under review)');
}
