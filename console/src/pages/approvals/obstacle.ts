import type { Approval } from '../../../../gateway/src/operations/index.ts';
import { type Session, useSession } from '../../api/session.ts';
import { lacksRole } from '../../components/people/no-approver.tsx';

/** Why this browser's session cannot decide an approval; undefined: it can. */
export function useObstacle(approval: Pick<Approval, 'principal' | 'organisation'>): string | undefined {
  const { data: session } = useSession();
  if (session === undefined) return 'Asking who you are…';
  if (!session.can.decide) {
    if (lacksRole(session)) return 'Others decide: you are no approver.';
    return session.mode === 'team' && session.approver !== undefined
      ? `Deciding takes a session with an approving key${session.provider === undefined ? '' : `, or one of ${session.provider.name}`}.`
      : 'Deciding takes the session of the machine’s owner.';
  }
  return isOwn(session, approval) ? 'Your own calls are decided by another approver.' : undefined;
}

/** A call of the very person who would decide it. */
export function isOwn(
  { kind, principal }: Session,
  approval: Pick<Approval, 'principal' | 'organisation'>,
): boolean {
  const own = principal?.id === approval.principal && principal?.organisation === approval.organisation;
  return kind === 'user' && own;
}
