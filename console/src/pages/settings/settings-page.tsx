import { useSession } from '../../api/session.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { ConfigurationPanel } from './configuration-panel.tsx';
import { ConnectPanel } from './connect-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

export default function SettingsPage() {
  const { data: session } = useSession();
  return (
    <>
      <PageHeader title="Settings">
        Who you are here, how a client gets here, how it looks, and what the gateway runs with.
      </PageHeader>
      <div className={styles['page']}>
        <div className={styles['own']}>
          <Stack>
            <SessionPanel />
            {session === undefined || session.kind === 'approver' ? null : <ConnectPanel session={session} />}
            <AppearancePanel />
            {session?.can.own ? <SessionsPanel /> : null}
          </Stack>
        </div>
        <div className={styles['rest']}>
          {session === undefined ? null : session.can.operate ? (
            <ConfigurationPanel />
          ) : (
            <Notice title="The configuration is the operator’s">
              Sign in with the token of the server, or as the owner of the machine, to see it.
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}
