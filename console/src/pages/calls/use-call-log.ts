import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { api } from '../../api/client.ts';
import { type Event, useEvents, useStreamState } from '../../api/event-stream.ts';
import { CallLog, MOST_CALLS } from './call-log.ts';
import type { CallRow } from './call-row.ts';
import { type CallFilters, queryOf } from './filters.ts';

interface EventPage {
  readonly events: readonly Event[];
  /** The next `before`. */
  readonly earlier?: number;
}

/** Events of one page of older ones. */
const PAGE = 1000;

export interface KnownCalls {
  /** Newest first. */
  readonly rows: readonly CallRow[];
  /** The first page is being read. */
  readonly isLoading: boolean;
  readonly error: unknown;
  /** There are older calls, and room for them. */
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  /** Events of this session of the page are missing: the list was read again. */
  readonly gap: boolean;
  readonly loadEarlier: () => void;
  readonly retry: () => void;
}

/** The calls that fit the filters: what was, page by page, and what comes. */
export function useCallLog(filters: CallFilters): KnownCalls {
  const key = JSON.stringify(queryOf(filters));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters, another log
  const log = useMemo(() => new CallLog(), [key]);
  const version = useSyncExternalStore(log.onChange, () => log.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for what is in the log
  const rows = useMemo(() => log.rows(filters), [log, version, filters]);
  const [gap, setGap] = useState(false);
  const [round, setRound] = useState(0);
  const history = useHistory(log, key, round);
  useEvents(
    { types: ['call-*', 'approval-*'] },
    {
      onEvents: (events) => log.apply(events),
      onGap() {
        setGap(true);
        setRound((before) => before + 1);
      },
    },
  );
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { rows, gap, retry: again, ...history };
}

interface HistoryState {
  readonly status: 'loading' | 'more' | 'ready' | 'failed';
  readonly earlier?: number | undefined;
  readonly error?: unknown;
}

/** Reads pages into the log, the newest first. The first one once the stream is open, so that nothing falls in between. */
function useHistory(log: CallLog, key: string, round: number) {
  const [state, setState] = useState<HistoryState>({ status: 'loading' });
  const stream = useStreamState();
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    if (stream === 'open' || stream === 'lost') setBegun(true);
  }, [stream]);

  const read = useCallback(
    async (before: number | undefined, signal: AbortSignal) => {
      setState((last) => ({ ...last, status: before === undefined ? 'loading' : 'more', error: undefined }));
      try {
        const query = { ...(JSON.parse(key) as Record<string, string>), limit: PAGE, before: before ?? '' };
        const page = await api<EventPage>('GET', '/events', { query, signal });
        if (signal.aborted) return;
        log.apply(page.events);
        setState({ status: 'ready', earlier: page.earlier });
      } catch (error) {
        if (!signal.aborted) setState((last) => ({ ...last, status: 'failed', error }));
      }
    },
    [log, key],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads the same again
  useEffect(() => {
    if (!begun) return;
    const controller = new AbortController();
    void read(undefined, controller.signal);
    return () => controller.abort();
  }, [begun, read, round]);

  const earlier = log.forgottenBefore ?? state.earlier;
  const hasEarlier = earlier !== undefined && log.size < MOST_CALLS;
  const loadEarlier = useCallback(() => {
    if (hasEarlier && state.status === 'ready') void read(earlier, new AbortController().signal);
  }, [hasEarlier, state.status, read, earlier]);
  return {
    isLoading: state.status === 'loading',
    isLoadingEarlier: state.status === 'more',
    error: state.error,
    hasEarlier,
    loadEarlier,
  };
}
