import { useDeferredValue, useState } from 'react';
import type { ToolExplanation } from '../../../../gateway/src/operations/index.ts';
import { AccessBadge } from '../../components/access-badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { Field } from '../../components/forms/field.tsx';
import { count } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { CheckTable } from '../../components/tables/check-table.tsx';
import { MoreButton } from '../../components/tables/more-button.tsx';
import styles from './access.module.css';
import { type OperationsAsked, useOperations } from './queries.ts';

interface OperationListProps {
  readonly organisation?: string;
  readonly user?: string;
  readonly source: string;
}

/** Operations of a source, each with every check that decides about it for one person. */
export function OperationList({ organisation, user, source }: OperationListProps) {
  const [words, setWords] = useState('');
  const [show, setShow] = useState<OperationsAsked['show']>('all');
  const q = useDeferredValue(words.trim());
  const asked = useOperations({ organisation, user, source, q, show });
  const pages = asked.data?.pages ?? [];
  const operations = pages.flatMap((page) => page.operations);
  const never = pages[0]?.never ?? [];
  return (
    <section className={styles['part']} aria-label="Operations">
      <div className={styles['head']}>
        <h3>Operations</h3>
        {pages[0] === undefined ? null : <span className={styles['soft']}>{count(pages[0].total)}</span>}
      </div>
      <div className={styles['pair']}>
        <Field label="Find operations" quiet>
          <input
            type="search"
            placeholder="Name or id"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </Field>
        <Field label="Which operations" quiet>
          <select value={show} onChange={({ target }) => setShow(target.value as OperationsAsked['show'])}>
            <option value="all">Offered and hidden</option>
            <option value="visible">Offered</option>
            <option value="hidden">Hidden</option>
          </select>
        </Field>
      </div>
      <QueryState query={asked} what="operations" title="The operations could not be read" />
      {asked.isSuccess && operations.length === 0 && never.length === 0 ? (
        <EmptyState title="No operations fit" />
      ) : null}
      <ul className={styles['operations']}>
        {operations.map((operation) => (
          <li key={operation.tool}>
            <OperationChecks explained={operation} />
          </li>
        ))}
      </ul>
      {asked.hasNextPage ? (
        <div>
          <MoreButton size="s" waits={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            More operations
          </MoreButton>
        </div>
      ) : null}
      {never.length === 0 ? null : (
        <section className={styles['part']} aria-label="Never callable">
          <h4>Never callable</h4>
          <p className={styles['soft']}>
            Classed as dangerous: nobody sees or calls them, whatever else is granted.
          </p>
          <ul className={styles['never']}>
            {never.map(({ id, target }) => (
              <li key={id}>
                <Badge tone="bad">dangerous</Badge> <code>{id}</code>{' '}
                <span className={styles['soft']}>{target}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}

function OperationChecks({ explained }: { readonly explained: ToolExplanation }) {
  const { tool, visible, callable, operation, checks, approval } = explained;
  const failed = checks.find(({ passes }) => !passes);
  return (
    <details className={styles['operation']}>
      <summary>
        <span className={styles['tool']}>{tool}</span>
        <AccessBadge access={operation.access} />
        {callable ? (
          <Badge tone="good">offered</Badge>
        ) : visible ? (
          <Badge tone="warn">offered, no account</Badge>
        ) : (
          <Badge tone="bad">hidden by {failed?.check ?? 'policy'}</Badge>
        )}
        {approval === undefined ? null : approval.kind === 'asks' ? (
          <Badge tone="info">asks a person</Badge>
        ) : (
          <Badge tone="bad">refused</Badge>
        )}
      </summary>
      {operation.target === tool ? null : (
        <p className={styles['soft']}>
          <code>{operation.target}</code>
        </p>
      )}
      {approval === undefined ? null : <p className={styles['soft']}>{approval.reason}</p>}
      <CheckTable tool={tool} checks={checks} />
    </details>
  );
}
