import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useRef, useState } from 'react';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import { type PageKey, usePageKeys, useSearchKey } from '../../app/page-keys.ts';
import { Field } from '../../components/forms/field.tsx';
import { useLeaveWarning } from '../../components/forms/use-leave-warning.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { count, counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { MoreButton } from '../../components/tables/more-button.tsx';
import styles from './access.module.css';
import { CellPanel } from './cell-panel.tsx';
import { ChangesBar } from './changes-bar.tsx';
import { withEdit, without } from './edits.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import { MatrixList } from './matrix-list.tsx';
import type { Opened } from './matrix-props.ts';
import { OrganisationPanel } from './organisation-panel.tsx';
import { PersonPanel } from './person-panel.tsx';
import { readAccessAgain, useKeptEdits, useLevels, useMatrix } from './queries.ts';
import { useNarrow } from './use-narrow.ts';

const KEYS: readonly PageKey[] = [
  ['/', 'To the search'],
  ['← → ↑ ↓', 'From cell to cell'],
  ['Enter', 'Opens a cell, a person, the organisation'],
];

/** One organisation: its matrix, what is open of it, and edits that wait to be saved. */
export function TeamAccess({ organisation }: { readonly organisation: string }) {
  const client = useQueryClient();
  const narrow = useNarrow();
  const [words, setWords] = useState('');
  const q = useDeferredValue(words.trim());
  const matrix = useMatrix(organisation, q);
  const levels = useLevels(organisation);
  const [opened, setOpened] = useState<Opened>();
  const [{ changes, version: basedOn }, keep] = useKeptEdits(organisation);
  const [said, setSaid] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  usePageKeys(KEYS);
  useLeaveWarning(changes.length > 0);

  const { isFetchingNextPage, hasNextPage, isFetchNextPageError, fetchNextPage } = matrix;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const [first] = matrix.data?.pages ?? [];
  if (first === undefined)
    return <QueryState query={matrix} what="the matrix" rows={8} title="The matrix could not be read" />;
  const rows = matrix.data!.pages.flatMap((page) => page.rows);
  const edit = (change: AccessChange) => {
    setSaid('');
    keep({ version: changes.length === 0 ? first.version : basedOn, changes: withEdit(changes, change) });
  };
  const undo = (subject: string) => keep({ version: basedOn, changes: without(changes, subject) });
  /** The changes are gone, and what stood where the focus was with them. */
  const end = (words: string) => {
    keep({ version: undefined, changes: [] });
    setSaid(words);
    status.current?.focus();
  };
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const editing = { changes, levels: levels.data ?? [], edit, undo };
  const open = { rows, matrix: first, changes, onOpen: setOpened };
  const person = rows.find(({ id }) => id === opened?.user);
  const source = first.sources.find(({ name }) => name === opened?.source);

  return (
    <>
      <div className={styles['tools']}>
        <Field label="Find people" quiet>
          <input
            ref={search}
            type="search"
            placeholder="Name, id or role"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </Field>
        <p className={styles['soft']}>
          {counted(first.total, 'person', 'people')}, {counted(first.sources.length, 'source')}
        </p>
        <p role="status" ref={status} tabIndex={-1} className={styles['said']}>
          {said}
        </p>
      </div>
      <Panel flush>
        {first.sources.length === 0 ? (
          <EmptyState title="No sources yet">
            <p>A source that is added shows here with the levels of its category.</p>
          </EmptyState>
        ) : narrow ? (
          <MatrixList {...open} />
        ) : (
          <MatrixGrid {...open} onEnd={more} />
        )}
        {rows.length === 0 ? (
          <EmptyState title={q === '' ? 'Nobody belongs to this organisation' : 'Nobody fits'} />
        ) : null}
        {isFetchNextPageError ? (
          <ErrorNote
            error={matrix.error}
            title="More people could not be read"
            retry={() => void fetchNextPage()}
          />
        ) : hasNextPage ? (
          <div className={styles['more']}>
            {narrow ? (
              <MoreButton waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                More people
              </MoreButton>
            ) : (
              `${count(rows.length)} of ${counted(first.total, 'person', 'people')}; more as you scroll`
            )}
          </div>
        ) : null}
      </Panel>
      {changes.length === 0 ? null : (
        <ChangesBar
          edits={{ organisation, version: basedOn, changes }}
          nameOf={(id) => names.get(id) ?? id}
          onUndo={(subject) => (changes.length === 1 ? end('Undone.') : undo(subject))}
          onDiscard={() => end('Discarded.')}
          onReadAgain={async () => {
            await readAccessAgain(client);
            const { data } = await matrix.refetch();
            keep({ version: data?.pages[0]?.version, changes });
          }}
          onSaved={() => end('Saved: in force at the next call.')}
        />
      )}
      {opened !== undefined && source !== undefined && (opened.user === null || person !== undefined) ? (
        <CellPanel
          {...editing}
          organisation={organisation}
          matrix={first}
          source={source}
          person={person}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {opened?.source === undefined && person !== undefined ? (
        <PersonPanel {...editing} person={person} matrix={first} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened !== undefined && opened.source === undefined && opened.user === null ? (
        <OrganisationPanel {...editing} matrix={first} onClose={() => setOpened(undefined)} />
      ) : null}
    </>
  );
}
