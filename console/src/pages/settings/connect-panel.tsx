import { Link } from 'wouter';
import type { Session } from '../../api/session.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import styles from './settings.module.css';

/** How a client of MCP gets to this gateway as whoever looks. */
export function ConnectPanel({ session }: { readonly session: Session }) {
  const { mode } = session;
  const { origin } = window.location;
  return (
    <Panel title="Connect a client">
      <div className={styles['connect']}>
        <p>Clients that take an address take this one{mode === 'open' ? '.' : <Credential of={session} />}</p>
        <CodeBlock text={`${origin}/mcp`} label="the address" />
        <p>
          A client that should have less says so behind it: <code>?maxAccess=read</code>, or the sources that
          it is for: <code>?source=NAME</code>.
        </p>
        <p>
          For one that starts programs instead, such as Claude Desktop, a command on its machine writes the
          entry{mode === 'open' ? '' : '; TOOLCRIB_API_KEY holds the same there'}:
        </p>
        <CodeBlock text={`npx toolcrib connect claude-desktop --remote ${origin}`} label="the command" />
      </div>
    </Panel>
  );
}

function Credential({ of: { mode, provider, can } }: { readonly of: Session }) {
  if (mode === 'token')
    return (
      <>
        , and the token of the server as <code>Authorization: Bearer …</code>:
      </>
    );
  return (
    <>
      , and as <code>Authorization: Bearer …</code> a <Link href="/people?show=keys">key of yours</Link>
      {can.administer ? '' : ', which an admin of your organisation makes'}
      {provider === undefined ? '' : `; or no key, where they have you sign in with ${provider.name}`}:
    </>
  );
}
