import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { accountOf, CONNECTION_WORDS } from '../../components/connection-words.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { count, counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { WithCode } from '../../components/with-code.tsx';
import { HealthBadge } from './health-badge.tsx';
import { type ShownSource, useRefresh, useSources } from './queries.ts';
import { healthOf, kindWord, lacksWord } from './source-words.ts';
import styles from './sources.module.css';
import { Unconnected } from './unconnected.tsx';

interface SourceListProps {
  readonly onAdd: (() => void) | undefined;
}

/** Every source with how it is; what is wrong stands beneath it. */
export function SourceList({ onAdd }: SourceListProps) {
  const sources = useSources();
  const { data } = sources;
  return (
    <>
      <QueryState query={sources} what="sources" title="The sources could not be read" />
      <Unconnected />
      {data?.length === 0 ? (
        <EmptyState title="No sources">
          <p>
            A source is an OpenAPI document, an MCP server, a provider, a folder of skills: what brings tools.
          </p>
          {onAdd === undefined ? null : <Button onClick={onAdd}>Add the first one</Button>}
        </EmptyState>
      ) : null}
      {data === undefined || data.length === 0 ? null : (
        <FilteredRows
          what="sources"
          one="source"
          few={20}
          rows={data}
          wordsOf={({ name, kind, health, place = '', provider }) =>
            [name, provider?.displayName ?? kindWord(kind), health, place].join('\n')
          }
          total={data.length}
        >
          {(shown) => (
            <Panel flush>
              <ul className={styles['sources']} aria-label="Sources">
                {shown.map((source) => (
                  <SourceRow key={source.name} source={source} />
                ))}
              </ul>
            </Panel>
          )}
        </FilteredRows>
      )}
    </>
  );
}

function SourceRow({ source }: { readonly source: ShownSource }) {
  const { name, kind, error, lacks, origin, place, provider, readAt } = source;
  const connection = accountOf(source, useSession().data);
  return (
    <li className={styles['source']}>
      <div className={styles['names']}>
        <div className={styles['line']}>
          <Link href={`/sources/${encodeURIComponent(name)}`} className={styles['name']}>
            {visibleText(name)}
          </Link>
          <HealthBadge source={source} />
          <Waiting source={source} />
          {lacks === undefined ? null : <Badge tone="warn">{lacksWord(lacks)}</Badge>}
          {origin === 'run' ? <Badge>this run only</Badge> : null}
          {connection === undefined || connection === 'connected' ? null : (
            <Badge tone="warn">{CONNECTION_WORDS[connection]}</Badge>
          )}
        </div>
        <p className={styles['soft']}>
          {provider?.displayName ?? kindWord(kind)}
          {place === undefined ? null : (
            <>
              {' · '}
              <span className={styles['place']}>{visibleText(place)}</span>
            </>
          )}
        </p>
      </div>
      <p className={styles['counts']}>
        <Brings source={source} />
        <Findings source={source} />
        {readAt === undefined ? null : (
          <>
            {' · read '}
            <Time at={readAt} />
          </>
        )}
      </p>
      <Again source={source} />
      {error === undefined ? null : (
        <div className={styles['fault']}>
          <p>{visibleText(error.message)}</p>
          <p>
            <WithCode text={error.next} /> <code>{error.code}</code>
          </p>
        </div>
      )}
    </li>
  );
}

/** Its tools; where there are none of what was read, why, and where more is said of it. */
function Brings({ source }: { readonly source: ShownSource }) {
  const { name, health, operations, tools = operations, skipped = 0, drift } = source;
  const path = encodeURIComponent(name);
  if (health === 'ok' && tools === 0) {
    const { meaning } = healthOf(source);
    const part = operations > 0 && drift !== undefined ? 'drift' : skipped > 0 ? 'skipped' : undefined;
    return part === undefined ? meaning : <Link href={`/sources/${path}?show=${part}`}>{meaning}</Link>;
  }
  return (
    <>
      <Link href={`/tools?source=${path}`}>{counted(tools, 'tool')}</Link>
      {skipped > 0 ? ` · ${count(skipped)} left out` : null}
    </>
  );
}

function Waiting({ source: { drift } }: { readonly source: ShownSource }) {
  if (drift === undefined || drift.waiting === 0) return null;
  return (
    <Badge tone="warn" title="Definitions differ from what was accepted">
      {drift.waiting} changed
    </Badge>
  );
}

function Findings({ source: { diagnostics } }: { readonly source: ShownSource }) {
  const serious = (diagnostics?.error ?? 0) + (diagnostics?.warning ?? 0);
  return serious === 0 ? null : ` · ${counted(serious, 'finding')}`;
}

function Again({ source: { name, health } }: { readonly source: ShownSource }) {
  const operate = useSession().data?.can.operate ?? false;
  const refresh = useRefresh();
  if (!operate || health === 'paused') return null;
  return (
    <div>
      <Button
        size="s"
        waits={refresh.isPending}
        aria-label={`Read again: ${name}`}
        onClick={() => refresh.mutate(name)}
      >
        {refresh.isPending ? 'Reading…' : 'Read again'}
      </Button>
    </div>
  );
}
