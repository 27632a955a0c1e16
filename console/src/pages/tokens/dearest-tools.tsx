import { Link } from 'wouter';
import { Panel } from '../../components/layout/panel.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { Bar } from './bar.tsx';
import type { TokenCosts } from './queries.ts';
import styles from './tokens.module.css';

interface DearestToolsProps {
  readonly costs: TokenCosts;
  readonly onTopology: (topology: string) => void;
}

/** The tools that cost the most in one topology. */
export function DearestTools({ costs, onTopology }: DearestToolsProps) {
  const { largest, topologies } = costs;
  if (largest === undefined || largest.tools.length === 0) return null;
  const { topology, tools } = largest;
  const all = topologies.find(({ name }) => name === topology)?.tools ?? tools.length;
  return (
    <Panel
      flush
      title={all > tools.length ? `The ${tools.length} dearest of ${all} tools` : 'What each tool costs'}
      actions={
        <label className={styles['pick']}>
          <span aria-hidden="true">in</span>
          <select aria-label="Topology" value={topology} onChange={({ target }) => onTopology(target.value)}>
            {topologies.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <DataTable
        caption={`Tokens of tools in ${topology}`}
        rows={tools}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: 'Tool',
            cell: ({ name }) => <Link href={`/tools/${encodeURIComponent(name)}`}>{name}</Link>,
          },
          {
            key: 'tokens',
            title: 'Tokens',
            cell: ({ tokens }) => <Bar value={tokens} most={tools[0]!.tokens} />,
          },
        ]}
      />
    </Panel>
  );
}
