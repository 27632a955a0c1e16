import { Link, useLocation } from 'wouter';
import type { Session } from '../api/session.ts';
import { useSignOut } from '../api/sign-out.ts';
import { Button } from '../components/button.tsx';
import { usePeople } from '../components/people/use-people.ts';
import { visibleText } from '../components/visible-text.ts';
import styles from './shell.module.css';

/** Who is signed in, and the way in or out. */
export function SessionMenu({ session }: { readonly session: Session | undefined }) {
  const signOut = useSignOut();
  const [location] = useLocation();
  const { organisationOf } = usePeople();
  if (session === undefined) return null;
  if (!session.signedIn) {
    if (location === '/sign-in') return null;
    return (
      <Link className={styles['signin']} href="/sign-in">
        Sign in
      </Link>
    );
  }
  const { principal, kind } = session;
  const name = kind === 'owner' ? 'Owner' : visibleText(principal?.name ?? principal?.id ?? 'Signed in');
  const organisation = principal?.organisation;
  const whose = organisation === undefined ? name : `${name}, ${organisationOf(organisation)}`;
  return (
    <span className={styles['who']}>
      <span className={styles['whoName']} title={whose}>
        {name}
      </span>
      <Button variant="quiet" waits={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </span>
  );
}
