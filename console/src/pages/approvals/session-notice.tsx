import { Link, useLocation } from 'wouter';
import { useSession } from '../../api/session.ts';
import { Notice } from '../../components/states/notice.tsx';
import { lacksRole } from './obstacle.ts';

/** In a session that may only look: what is missing, once for the whole page. */
export function SessionNotice() {
  const { data: session } = useSession();
  const [location] = useLocation();
  if (session === undefined || session.can.decide) return null;
  if (lacksRole(session))
    return (
      <Notice title="You are no approver">
        <p>Deciding about calls of others takes a role for it, which an admin of your organisation gives.</p>
      </Notice>
    );
  const team = session.mode === 'team';
  return (
    <Notice title={team ? 'This session shows approvals and decides none' : 'Sign in as the owner to decide'}>
      <p>
        {team ? (
          `Whoever calls tools decides about none: sign in ${session.provider === undefined ? '' : `with ${session.provider.name}, or `}with a key that was made for deciding (toolcrib admin key add USER --approver).`
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
