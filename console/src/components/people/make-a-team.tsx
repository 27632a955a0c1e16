import { CodeBlock } from '../code-block.tsx';
import { Panel } from '../layout/panel.tsx';
import { Parts } from '../layout/stack.tsx';

const SETTINGS = `auth:
  mode: team
store: sqlite:./toolcrib.db
`;
const COMMAND = 'npx toolcrib admin bootstrap --organisation Acme --name Ann --email ann@example.com';

/** How a gateway that knows no users becomes one for a team. */
export function MakeATeam() {
  return (
    <Panel title="More than one person">
      <Parts>
        <p>
          Organisations, users, their keys and levels need a store and the mode <code>team</code>. In{' '}
          <code>toolcrib.yaml</code>:
        </p>
        <CodeBlock text={SETTINGS} label="settings" />
        <p>Then the first organisation, its admin and a key, and start the gateway again:</p>
        <CodeBlock text={COMMAND} label="command" />
      </Parts>
    </Panel>
  );
}
