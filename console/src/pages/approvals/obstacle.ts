import type { Approval } from '../../../../gateway/src/operations/index.ts';
import { type Session, useSession } from '../../api/session.ts';

/** Why this browser's session cannot decide an approval; undefined: it can. */
export function useObstacle(approval: Pick<Approval, 'principal' | 'organisation'>): string | undefined {
  const { data: session } = useSession();
  if (session === undefined) return 'Asking who you are…';
  if (!session.can.decide) {
    if (lacksRole(session)) return 'Deciding takes the role of an approver.';
    return session.mode === 'team'
      ? `Deciding takes a session with an approving key${session.provider === undefined ? '' : `, or one of ${session.provider.name}`}.`
      : 'Deciding takes the session of the machine’s owner.';
  }
  return isOwn(session, approval) ? 'Your own calls are decided by another approver.' : undefined;
}

/** Its credential was made for deciding, or is as good; its user is no approver (any more). */
export function lacksRole({ kind, openedWith, can }: Session): boolean {
  return !can.decide && (kind === 'approver' || openedWith === 'provider');
}

/** A call of the very person who would decide it. */
export function isOwn(
  { kind, principal }: Session,
  approval: Pick<Approval, 'principal' | 'organisation'>,
): boolean {
  const own = principal?.id === approval.principal && principal?.organisation === approval.organisation;
  return kind === 'user' && own;
}
