import { Link } from 'wouter';
import { type Session, useSession, useSignOut } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Time } from '../../components/time/time.tsx';
import { AddApprover } from './add-approver.tsx';

const KINDS: Readonly<Record<NonNullable<Session['kind']>, string>> = {
  owner: 'The owner of the machine, by a one-time link',
  token: 'The token of the server',
  user: 'A key or a sign-in token',
  approver: 'A credential that decides approvals',
};

const RIGHTS: ReadonlyArray<readonly [keyof Session['can'], string]> = [
  ['decide', 'decide approvals'],
  ['operate', 'see the whole gateway'],
  ['administer', 'manage people and access'],
  ['own', 'change sources and definitions'],
];

/** Who is signed in here, for how long, and what that allows. */
export function SessionPanel() {
  const { data } = useSession();
  const signOut = useSignOut();
  if (data === undefined) {
    return (
      <Panel title="Session">
        <Loading what="session" rows={3} />
      </Panel>
    );
  }
  const { signedIn, kind, principal, expiresAt, can, mode } = data;
  const actions = signedIn ? (
    <Button size="s" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  ) : (
    <Link href="/sign-in?back=%2Fsettings">Sign in</Link>
  );
  return (
    <Panel title="Session" actions={actions}>
      <Facts
        of={[
          [
            'Signed in with',
            kind === undefined ? 'Nothing: this gateway is open on its machine' : KINDS[kind],
          ],
          ['Acts as', principal && actor(principal)],
          ['Organisation', principal?.organisation],
          ['Roles', principal?.roles.length ? principal.roles.join(', ') : undefined],
          ['Ends', expiresAt === undefined ? undefined : <Time key="ends" at={expiresAt} />],
          ['May', rights(can, true)],
          ['May not', rights(can, false)],
        ]}
      />
      {signedIn && !can.decide && (mode === 'team' ? kind === 'user' : kind === 'token') ? (
        <AddApprover team={mode === 'team'} />
      ) : null}
    </Panel>
  );
}

/** Undefined where there are none. */
function rights(can: Session['can'], held: boolean): string | undefined {
  const words = RIGHTS.filter(([right]) => can[right] === held).map(([, name]) => name);
  return words.length === 0 ? undefined : words.join(', ');
}

function actor({ kind, name, id }: NonNullable<Session['principal']>): string {
  if (kind === 'user') return name ?? id;
  return kind === 'local' ? 'The owner of the process' : 'The operator';
}
