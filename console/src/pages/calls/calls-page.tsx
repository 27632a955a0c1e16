import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { type PageKey, usePageKeys, useSearchKey } from '../../app/page-keys.ts';
import { isPageKey } from '../../app/single-keys.ts';
import { Button } from '../../components/button.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { nameOrder } from '../../components/name-order.ts';
import { counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { say } from '../../components/states/said.tsx';
import { CallFilters } from './call-filters.tsx';
import { CallList } from './call-list.tsx';
import type { CallRow } from './call-row.ts';
import { CallStory } from './call-story.tsx';
import styles from './calls-page.module.css';
import { FILTER_NAMES, type CallFilters as Filters, filtersOf, isFiltered } from './filters.ts';
import { LiveState } from './live-state.tsx';
import { useCallLog } from './use-call-log.ts';
import { usePointed } from './use-pointed.ts';

const KEYS: readonly PageKey[] = [
  ['/', 'To the search'],
  ['j k', 'To the next call, to the one before'],
  ['Enter', 'Opens its story'],
  ['p', 'Holds the list, and lets it go on'],
];

/** Calls as they happen, and the whole story of each. */
export default function CallsPage() {
  const { id } = useParams<{ id?: string }>();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersOf(params), [params]);
  const calls = useCallLog(filters);
  const [paused, setPaused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  const { pointed, handlers } = usePointed();
  const held = paused || scrolled;
  const shown = useHeld(calls.rows, held || pointed);
  const known = useKnown(calls.rows, filters);
  const search = useRef<HTMLInputElement>(null);
  const opener = useRef<'person' | 'list'>('person');
  usePageKeys(KEYS);
  useSearchKey(search);
  // what filters leave is said once; that calls go on coming is not
  const sayFound = useEffectEvent(() => {
    if (isFiltered(filters)) say(foundWords(calls.rows.length));
  });
  const isRead = !calls.isLoading && calls.error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said again for other filters
  useEffect(() => {
    if (isRead) sayFound();
  }, [filters, isRead]);

  const change = useCallback(
    (changed: Partial<Filters>) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const name of FILTER_NAMES) {
            const value = changed[name];
            if (value === '') next.delete(name);
            else if (value !== undefined) next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  const query = params.size === 0 ? '' : `?${params}`;
  const open = useCallback(
    (call: string, by: 'person' | 'list') => {
      opener.current = by;
      navigate(`/calls/${encodeURIComponent(call)}${query}`, { replace: by === 'list' });
    },
    [navigate, query],
  );
  const close = useCallback(() => {
    navigate(`/calls${query}`);
    if (id !== undefined) requestAnimationFrame(() => document.getElementById(`call-${id}`)?.focus());
  }, [navigate, query, id]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOver = document.querySelector('dialog[open]') !== null;
    if (event.key === 'Escape' && id !== undefined && !event.defaultPrevented && !isOver) close();
    else if (event.key === 'p' && isPageKey(event)) setPaused(!paused);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className={styles['page']} data-open={id !== undefined}>
      <div className={styles['top']}>
        <PageHeader
          title="Calls"
          actions={
            <>
              <LiveState paused={paused} gap={calls.gap} />
              <Button variant="quiet" onClick={() => setPaused(!paused)}>
                {paused ? 'Resume' : 'Pause'} <KeyHint keys="p" />
              </Button>
            </>
          }
        >
          Every call as it happens, newest first. One opens to its whole story.
        </PageHeader>
        <CallFilters filters={filters} onChange={change} searchRef={search} known={known} />
      </div>
      <div className={styles['split']}>
        <div className={styles['list']} {...handlers}>
          {calls.error === undefined ? null : (
            <ErrorNote error={calls.error} title="The calls could not be read" retry={calls.retry} />
          )}
          {shown.rows.length > 0 ? (
            <CallList
              rows={shown.rows}
              fresh={held ? shown.fresh : 0}
              chosen={id}
              hasEarlier={calls.hasEarlier}
              isFull={calls.isFull}
              isLoadingEarlier={calls.isLoadingEarlier}
              onScrolled={setScrolled}
              onEarlier={calls.loadEarlier}
              onOpen={open}
            />
          ) : calls.isLoading ? (
            <Loading what="calls" rows={8} />
          ) : calls.error === undefined ? (
            <NoCalls
              filtered={isFiltered(filters)}
              hasEarlier={calls.hasEarlier}
              onEarlier={calls.loadEarlier}
            />
          ) : null}
        </div>
        {id === undefined ? null : (
          <div className={styles['story']}>
            <CallStory key={id} call={id} takesFocus={opener.current === 'person'} onClose={close} />
          </div>
        )}
      </div>
    </div>
  );
}

function foundWords(found: number): string {
  return found === 0 ? 'No call fits' : `${counted(found, 'call fits', 'calls fit')}`;
}

interface NoCallsProps {
  readonly filtered: boolean;
  readonly hasEarlier: boolean;
  readonly onEarlier: () => void;
}

function NoCalls({ filtered, hasEarlier, onEarlier }: NoCallsProps) {
  if (!filtered) {
    return (
      <EmptyState title="No calls yet">
        <p>They appear here the moment a client makes one.</p>
        <FirstCall />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={hasEarlier ? 'None of the newest calls fits these filters' : 'No call fits these filters'}
    >
      <p>New ones that fit appear here by themselves.</p>
      {hasEarlier ? <Button onClick={onEarlier}>Look further back</Button> : null}
    </EmptyState>
  );
}

/** How there comes to be one, for whoever looks. */
function FirstCall() {
  const { data: session } = useSession();
  // a credential that decides makes none
  if (session === undefined || session.kind === 'approver') return null;
  return (
    <>
      <p>
        <Link href="/settings">Connect a client</Link>, or try a <Link href="/tools">tool</Link> on its page.
      </p>
      {session.mode === 'open' ? (
        <p>
          In a terminal on this machine, <code>npx toolcrib call TOOL</code> makes one, too.
        </p>
      ) : null}
    </>
  );
}

/** While it is held the list stands still: calls in it change, newer ones are only counted. */
function useHeld(rows: readonly CallRow[], held: boolean) {
  const [ceiling, setCeiling] = useState<number>();
  const newest = rows[0]?.sequence;
  if (!held && ceiling !== undefined) setCeiling(undefined);
  if (held && ceiling === undefined && newest !== undefined) setCeiling(newest);
  return useMemo(() => {
    const from = !held || ceiling === undefined ? 0 : rows.findIndex(({ sequence }) => sequence <= ceiling);
    return from <= 0 ? { rows, fresh: 0 } : { rows: rows.slice(from), fresh: from };
  }, [rows, held, ceiling]);
}

/** Values to choose from in the filters; few of each. */
function useKnown(rows: readonly CallRow[], filters: Filters) {
  // counted anew with the filters and with every hundredth call, not with each
  const round = Math.floor(rows.length / 100) + (rows.length > 0 ? 1 : 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  return useMemo(() => {
    const values = (name: 'tool' | 'source' | 'principal' | 'code') =>
      [...new Set(rows.map((row) => row[name]).filter((value) => value !== undefined))]
        .slice(0, 100)
        .sort(nameOrder());
    return {
      tool: values('tool'),
      source: values('source'),
      principal: values('principal'),
      code: values('code'),
    };
  }, [round, filters]);
}
