import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { counted } from '../../components/quantities.ts';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { type ShownConfiguration, useConfiguration } from './queries.ts';
import styles from './settings.module.css';

/** The configuration as it counts now; the operator's. */
export function ConfigurationPanel() {
  const { data, error, isError, refetch } = useConfiguration();
  if (isError) {
    return (
      <ErrorNote error={error} title="The configuration could not be read" retry={() => void refetch()} />
    );
  }
  return (
    <Panel title="Configuration in force" flush>
      {data === undefined ? <Loading what="configuration" rows={8} /> : <Tree of={data} />}
    </Panel>
  );
}

function Tree({ of }: { readonly of: ShownConfiguration }) {
  const { file, version, node, watched, afterRestart, live, configuration } = of;
  return (
    <>
      <div className={styles['head']}>
        {afterRestart.length === 0 ? null : (
          <Notice tone="warn" title="Some changes count after a restart">
            {afterRestart.join(', ')}
          </Notice>
        )}
        <Facts
          of={[
            [
              'File',
              file === null ? 'None: given by a program or the command line' : <code key="file">{file}</code>,
            ],
            ['Changes', watched ? 'Taken over as the file is saved' : 'Counted from the next start'],
            ['Version', `Toolcrib ${version}, Node ${node}`],
            ['Secrets', 'Never shown: a reference stands in their place'],
          ]}
        />
      </div>
      <ul aria-label="Keys of the configuration">
        {Object.entries(configuration).map(([key, value]) => (
          <Key key={key} name={key} value={value} atOnce={watched && live.includes(key)} />
        ))}
      </ul>
    </>
  );
}

interface KeyProps {
  readonly name: string;
  readonly value: unknown;
  /** Counts as the file is saved. */
  readonly atOnce: boolean;
}

function Key({ name, value, atOnce }: KeyProps) {
  const sign = atOnce ? <Badge tone="info">at once</Badge> : null;
  if (typeof value !== 'object' || value === null) {
    return (
      <li className={styles['key']}>
        <code className={styles['name']}>{name}</code>
        <code className={styles['value']}>{String(value)}</code>
        {sign}
      </li>
    );
  }
  const count = Object.keys(value).length;
  return (
    <li>
      <details className={styles['branch']}>
        <summary className={styles['key']}>
          <code className={styles['name']}>{name}</code>
          <span className={styles['count']}>
            {count === 0 ? 'empty' : counted(count, Array.isArray(value) ? 'item' : 'key')}
          </span>
          {sign}
        </summary>
        {count === 0 ? null : (
          <div className={styles['tree']}>
            <JsonTree value={value} label={name} open={2} />
          </div>
        )}
      </details>
    </li>
  );
}
