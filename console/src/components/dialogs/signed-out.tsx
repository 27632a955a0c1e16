import { isInside, useSession } from '../../api/session.ts';
import { Notice } from '../states/notice.tsx';

/** In a form whose session has ended: how to go on without writing it again. Nothing while there is one. */
export function SignedOut() {
  const { data: session } = useSession();
  if (session === undefined || isInside(session)) return null;
  return (
    <Notice tone="warn" title="You are signed out" alert>
      <p>
        What is written here stays.{' '}
        <a href="/sign-in" target="_blank" rel="noopener">
          Sign in in another tab
        </a>
        , then go on here.
      </p>
    </Notice>
  );
}
