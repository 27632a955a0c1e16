import { Link, useLocation } from 'wouter';
import { useSession } from '../../api/session.ts';
import { lacksRole, NoApprover } from '../../components/people/no-approver.tsx';
import { Notice } from '../../components/states/notice.tsx';

/** In a session that may only look: what is missing, once for the whole page. */
export function SessionNotice() {
  const { data: session } = useSession();
  const [location] = useLocation();
  if (session === undefined || session.can.decide) return null;
  if (session.approver !== undefined && lacksRole(session)) return <NoApprover approver={session.approver} />;
  // a user of it, who has the role
  const team = session.mode === 'team' && session.approver !== undefined;
  return (
    <Notice title={team ? 'This session shows approvals and decides none' : 'Sign in as the owner to decide'}>
      <p>
        {team ? (
          `Whoever calls tools decides about none: sign in ${session.provider === undefined ? '' : `with ${session.provider.name}, or `}with a key that was made for deciding, which the operator of the gateway makes.`
        ) : (
          <>
            On the machine of the gateway, <code>npx toolcrib console</code> prints a link that signs its
            owner in.
          </>
        )}{' '}
        <Link href={`/sign-in?back=${encodeURIComponent(location)}`}>Sign in</Link>
        {session.kind === 'user' ? (
          <>
            {' · '}
            <Link href="/settings">Add such a key in Settings</Link>
          </>
        ) : null}
      </p>
    </Notice>
  );
}
