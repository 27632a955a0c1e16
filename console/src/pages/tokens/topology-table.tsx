import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { count } from '../../components/quantities.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { Bar } from './bar.tsx';
import type { TokenCosts } from './queries.ts';
import styles from './tokens.module.css';
import { wordsOf } from './topology-words.ts';

/** Every topology by the same count. */
export function TopologyTable({ costs }: { readonly costs: TokenCosts }) {
  const { topologies, auto, listed, operation } = costs;
  const taken = new Set(listed.topologies);
  const most = Math.max(...topologies.map(({ tokens }) => tokens));
  return (
    <Panel flush title="Every topology">
      <DataTable
        caption="Tools and tokens of every topology"
        rows={topologies}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: 'Topology',
            cell: ({ name }) => (
              <>
                <span className={styles['topology']}>
                  <strong>{name}</strong>
                  {taken.has(name) ? (
                    <Badge tone="good">
                      <span className="visually-hidden">, </span>
                      {taken.size === 1 ? 'listed now' : 'listed now for some sources'}
                    </Badge>
                  ) : null}
                  {auto?.took === name ? (
                    <Badge tone="info">
                      <span className="visually-hidden">, </span>auto
                    </Badge>
                  ) : null}
                </span>
                <span className={styles['soft-text']}>{wordsOf(name)}</span>
              </>
            ),
          },
          { key: 'tools', title: 'Tools', align: 'end', cell: ({ tools }) => count(tools) },
          {
            key: 'tokens',
            title: 'Tokens',
            cell: ({ name, tokens }) => (
              <Bar value={tokens} most={most} tone={auto?.took === name ? 'accent' : 'soft'} />
            ),
          },
          {
            key: 'flow',
            title: 'To one call',
            align: 'end',
            wide: true,
            cell: ({ flow }) => (flow === undefined ? 'at once' : count(flow.total)),
          },
        ]}
      />
      {operation === undefined ? null : (
        <p className={styles['note']}>
          To one call: what finding, describing and calling <code>{operation}</code> takes, without the answer
          of its service.
        </p>
      )}
    </Panel>
  );
}
