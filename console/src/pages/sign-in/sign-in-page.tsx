import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { isInside, type Session, useSession, useSignIn, wasInside } from '../../api/session.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { ErrorNote, Refusal } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { OwnerWay } from './owner-way.tsx';
import { ProviderWay } from './provider-way.tsx';
import styles from './sign-in.module.css';
import { takeCode } from './sign-in-code.ts';
import { TokenForm } from './token-form.tsx';
import { wayBack } from './way-back.ts';

const LEADS: Readonly<Record<Session['mode'], string>> = {
  open: 'On this machine everything can be looked at and called without signing in. Deciding approvals and changing sources is for its owner.',
  token: 'This gateway asks for a credential before it shows anything.',
  team: 'This gateway belongs to a team: everybody signs in with a key of their own.',
};

const FIELDS: Readonly<Record<Session['mode'], { readonly label: string; readonly hint: string }>> = {
  open: { label: 'Approver token', hint: 'As `toolcrib approvals token` prints it. It decides approvals.' },
  token: {
    label: 'Token',
    hint: 'The token of the server. With the approver token instead you decide approvals and see nothing else.',
  },
  team: {
    label: 'Key or token',
    hint: 'An API key, or a sign-in token of your identity provider. The session can do what it can, and no more.',
  },
};

/** By a link with a code, at once; else by what the person has. */
export default function SignInPage() {
  const [, navigate] = useLocation();
  const session = useSession();
  const byCode = useSignIn();
  const taken = useRef(false);
  const goBack = () => navigate(wayBack(location.search, location.origin), { replace: true });
  useEffect(() => {
    if (taken.current) return;
    taken.current = true;
    const code = takeCode();
    if (code !== undefined) byCode.mutate({ code }, { onSuccess: goBack });
  });

  if (session.isPending || byCode.isPending) {
    return (
      <div className={styles['page']}>
        <PageHeader title="Sign in">{byCode.isPending ? 'Signing you in.' : undefined}</PageHeader>
        <Loading what="session" />
      </div>
    );
  }
  const { data } = session;
  return (
    <div className={styles['page']}>
      <PageHeader title="Sign in">{data === undefined ? undefined : leadOf(data)}</PageHeader>
      <Refusal of={byCode} title="The link did not sign you in" />
      <Stack>
        {data !== undefined && !isInside(data) && wasInside() ? (
          <Notice tone="warn" title="Your session is over">
            It ran out, it was ended elsewhere, or what it was opened with does not count any more. Sign in to
            go on where you were: what you wrote is still there if it is you.
          </Notice>
        ) : null}
        {data?.signedIn ? <SignedIn session={data} onGoOn={goBack} /> : null}
        {data === undefined ? (
          <ErrorNote
            error={session.error}
            title="The gateway does not say how to sign in"
            retry={() => void session.refetch()}
          />
        ) : (
          <Ways mode={data.mode} provider={data.provider} onSignedIn={goBack} />
        )}
      </Stack>
    </div>
  );
}

function leadOf({ mode, provider }: Session): string {
  return provider === undefined
    ? LEADS[mode]
    : 'This gateway belongs to a team: everybody signs in as themselves.';
}

interface WaysProps extends Pick<Session, 'mode'> {
  readonly provider: Session['provider'] | undefined;
  readonly onSignedIn: () => void;
}

/** What is meant for most people here comes first. */
function Ways({ mode, provider, onSignedIn }: WaysProps) {
  const owner = (
    <Panel title="As the owner of the machine" key="owner">
      <div className={styles['words']}>
        <OwnerWay />
      </div>
    </Panel>
  );
  const atProvider = provider && (
    <Panel title="With your account" key="provider">
      <div className={styles['words']}>
        <ProviderWay {...provider} />
      </div>
    </Panel>
  );
  const token = (
    <Panel title={mode === 'open' ? 'To decide only' : 'With a credential'} key="token">
      <TokenForm {...FIELDS[mode]} onSignedIn={onSignedIn} />
    </Panel>
  );
  return <>{mode === 'open' ? [owner, token] : [atProvider, token, owner]}</>;
}

function SignedIn({ session, onGoOn }: { readonly session: Session; readonly onGoOn: () => void }) {
  const signOut = useSignOut();
  const { kind, principal } = session;
  const who =
    kind === 'owner' ? 'the owner of the machine' : (principal?.name ?? principal?.id ?? 'somebody');
  return (
    <Panel title={`You are signed in as ${who}`}>
      <div className={styles['actions']}>
        <Button variant="primary" onClick={onGoOn}>
          Go on
        </Button>
        <Button waits={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
        <Link href="/settings">Session and settings</Link>
      </div>
    </Panel>
  );
}
