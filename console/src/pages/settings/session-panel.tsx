import { Link } from 'wouter';
import { type Session, useSession } from '../../api/session.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { Loading } from '../../components/states/loading.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { AddApprover } from './add-approver.tsx';

/** What an approver's key and the approver token are told by is what they do. */
const WAYS: Readonly<Record<NonNullable<Session['openedWith']>, string>> = {
  owner: 'The owner of the machine, by a one-time link',
  token: 'The token of the server',
  approver: 'A credential that decides approvals',
  key: 'A key',
  'sign-in': 'A sign-in token',
  provider: 'The identity provider',
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
  const { organisationOf } = usePeople();
  if (data === undefined) {
    return (
      <Panel title="Session">
        <Loading what="session" rows={3} />
      </Panel>
    );
  }
  const { signedIn, kind, openedWith, principal, approver, expiresAt, can, mode } = data;
  const actions = signedIn ? (
    <Button size="s" waits={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  ) : (
    <Link href="/sign-in?back=%2Fsettings">Sign in</Link>
  );
  return (
    <Panel title="Session" actions={actions}>
      <Stack>
        <Facts
          of={[
            [
              'Signed in with',
              openedWith === undefined
                ? 'Nothing: this gateway is open on its machine'
                : WAYS[kind === 'approver' ? kind : openedWith],
            ],
            ['Acts as', principal && actor(principal)],
            ['Organisation', principal?.organisation && organisationOf(principal.organisation)],
            ['Roles', principal?.roles.length ? principal.roles.join(', ') : undefined],
            ['Ends', expiresAt === undefined ? undefined : <Time key="ends" at={expiresAt} />],
            ['May', rights(can, true)],
            ['May not', rights(can, false)],
          ]}
        />
        {signedIn && !can.decide && (mode === 'team' ? approver !== undefined : kind === 'token') ? (
          <AddApprover session={data} />
        ) : null}
      </Stack>
    </Panel>
  );
}

/** Undefined where there are none. */
function rights(can: Session['can'], held: boolean): string | undefined {
  const words = RIGHTS.filter(([right]) => can[right] === held).map(([, name]) => name);
  return words.length === 0 ? undefined : words.join(', ');
}

function actor({ kind, name, id }: NonNullable<Session['principal']>): string {
  if (kind === 'user') return visibleText(name ?? id);
  return kind === 'local' ? 'The owner of the process' : 'The operator';
}
