import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { UnreachableError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { type Event, useEvents, useStreamState } from '../../api/event-stream.ts';
import { personOf, useSession } from '../../api/session.ts';
import { CallLog, MOST_CALLS } from './call-log.ts';
import type { CallRow } from './call-row.ts';
import { approvalsOf, type CallFilters, queryOf } from './filters.ts';

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
  /** There may be older calls, and no room for them. */
  readonly isFull: boolean;
  readonly isLoadingEarlier: boolean;
  /** Events of this session of the page are missing: the list was read again. */
  readonly gap: boolean;
  readonly loadEarlier: () => void;
  readonly retry: () => void;
}

/** The calls that fit the filters: what was, page by page, and what comes. */
export function useCallLog(filters: CallFilters): KnownCalls {
  const key = JSON.stringify(queryOf(filters));
  const { data: session } = useSession();
  const person = session === undefined ? undefined : personOf(session);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters or another person, another log
  const log = useMemo(() => new CallLog(filters), [key, person]);
  const version = useSyncExternalStore(log.onChange, () => log.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for what is in the log
  const rows = useMemo(() => log.rows(filters), [log, version, filters]);
  const [gap, setGap] = useState(false);
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const history = useHistory(log, key, round, again);
  useEvents(
    { types: ['call-*', 'approval-*'] },
    {
      onEvents: (events) => log.apply(events),
      onGap() {
        setGap(true);
        again();
      },
    },
  );
  return { rows, gap, retry: again, ...history };
}

interface HistoryState {
  readonly status: 'loading' | 'more' | 'ready' | 'failed';
  readonly earlier?: number | undefined;
  readonly error?: unknown;
}

/**
 * Reads pages into the log, the newest first. The first one once the stream is open, so that nothing falls in between;
 * `onBack` when the gateway, which did not answer, is there again.
 */
function useHistory(log: CallLog, key: string, round: number, onBack: () => void) {
  const [state, setState] = useState<HistoryState>({ status: 'loading' });
  const stream = useStreamState();
  const [begun, setBegun] = useState(false);
  /** Of what is read now: pages for other filters say nothing of these. */
  const reading = useRef<AbortController>(undefined);
  useEffect(() => {
    if (stream === 'open' || stream === 'lost') setBegun(true);
    // a stream that begins anew: of another person
    else if (stream === 'connecting') setBegun(false);
  }, [stream]);

  const read = useCallback(
    async (before: number | undefined, signal: AbortSignal) => {
      setState((last) => ({ ...last, status: before === undefined ? 'loading' : 'more', error: undefined }));
      try {
        const query = { ...(JSON.parse(key) as Record<string, string>), limit: PAGE, before: before ?? '' };
        const page = await api<EventPage>('GET', '/events', { query, signal });
        if (signal.aborted) return;
        log.apply(page.events);
        if (log.hasRunning) {
          const asked = { ...approvalsOf(JSON.parse(key)), limit: PAGE };
          log.apply((await api<EventPage>('GET', '/events', { query: asked, signal })).events);
        }
        setState({ status: 'ready', earlier: page.earlier });
      } catch (error) {
        if (!signal.aborted) setState((last) => ({ ...last, status: 'failed', error }));
      }
    },
    [log, key],
  );

  const onOpen = useEffectEvent(() => {
    if (state.error instanceof UnreachableError) onBack();
  });
  useEffect(() => {
    if (stream === 'open') onOpen();
  }, [stream]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads the same again
  useEffect(() => {
    if (!begun) return;
    const controller = new AbortController();
    reading.current = controller;
    void read(undefined, controller.signal);
    return () => controller.abort();
  }, [begun, read, round]);

  const earlier = log.forgottenBefore ?? state.earlier;
  const isFull = earlier !== undefined && log.size >= MOST_CALLS;
  const hasEarlier = earlier !== undefined && !isFull;
  const loadEarlier = useCallback(() => {
    const { current } = reading;
    if (hasEarlier && state.status === 'ready' && current !== undefined) void read(earlier, current.signal);
  }, [hasEarlier, state.status, read, earlier]);
  return {
    isLoading: state.status === 'loading',
    isLoadingEarlier: state.status === 'more',
    error: state.error,
    hasEarlier,
    isFull,
    loadEarlier,
  };
}
