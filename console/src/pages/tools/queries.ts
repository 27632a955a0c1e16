import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Event, ToolExplanation } from '../../../../gateway/src/operations/index.ts';
import { ApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';
import type { ListFilter } from './list-filter.ts';
import type { Answers, CallAnswer, CallAsks, OperationPage, SearchHit, ToolDetail } from './tool-types.ts';

const PAGE = 500;
const TOOLS = ['tools'] as const;

/** Operations by name, page after page. */
export function useOperations({ q, find, source, access, state }: ListFilter) {
  const words = find === 'name' ? q : '';
  return useInfiniteQuery({
    queryKey: [...TOOLS, 'operations', words, source, access, state],
    queryFn: ({ pageParam, signal }) =>
      api<OperationPage>('GET', '/operations', {
        query: { q: words, source, access, state, cursor: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** What a model would be given for these words, the best first. */
export function useModelSearch({ q, source }: ListFilter, enabled: boolean) {
  return useQuery({
    queryKey: [...TOOLS, 'search', q, source],
    queryFn: ({ signal }) =>
      api<{ readonly hits: readonly SearchHit[] }>('GET', '/search', {
        query: { q, source, limit: 50 },
        signal,
      }),
    select: ({ hits }) => hits,
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** Lists are read again when the catalog or somebody's access changed. */
export function useToolsFollow(): void {
  const client = useQueryClient();
  useChanges({ types: ['catalog-swapped', 'access-changed', 'connection-changed', 'feature-changed'] }, () =>
    readAgain(client, { queryKey: TOOLS }),
  );
}

export interface FoundTool extends ToolDetail {
  /** The topology by which it was found; undefined: it is listed as configured. */
  readonly topology: string | undefined;
}

/** A listed tool, else an operation that other tools reach; null: it is not offered. */
export function useTool(name: string) {
  return useQuery({
    queryKey: [...TOOLS, 'tool', name],
    queryFn: async ({ signal }): Promise<FoundTool | null> => {
      const read = (topology?: string) =>
        api<ToolDetail>('GET', `/tools/${encodeURIComponent(name)}`, { query: { topology }, signal });
      const listed = await read().catch(unlessUnknown);
      if (listed !== undefined) return { ...listed, topology: undefined };
      const reached = await read('flat').catch(unlessUnknown);
      return reached === undefined ? null : { ...reached, topology: 'flat' };
    },
  });
}

/** Tokens of a tool; apart from it, since the first count of a gateway takes a moment. */
export function useToolTokens(name: string, tool: FoundTool) {
  return useQuery({
    queryKey: [...TOOLS, 'tokens', name, tool.topology, tool.hash],
    queryFn: ({ signal }) =>
      api<ToolDetail>('GET', `/tools/${encodeURIComponent(name)}`, {
        query: { topology: tool.topology, tokens: true },
        signal,
      }),
    select: ({ tokens }) => tokens,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Every check that decides; null: it has none of its own. */
/** `as`: id of whose it is; empty: the caller's. */
export function useExplanation(name: string, as = '') {
  return useQuery({
    queryKey: [...TOOLS, 'explain', name, as],
    queryFn: ({ signal }) =>
      api<ToolExplanation>('GET', `/tools/${encodeURIComponent(name)}/explain`, {
        query: { as },
        signal,
      }).catch((error: unknown) => unlessUnknown(error) ?? null),
  });
}

export type EndedCall = Extract<Event, { readonly type: 'call-started' | 'call-completed' | 'call-failed' }>;

const CALLS = 25;

/** The last calls of a tool, the newest first; read again when one ends. */
export function useCalls(name: string) {
  const client = useQueryClient();
  const queryKey = [...TOOLS, 'calls', name];
  useChanges({ types: ['call-completed', 'call-failed'], tool: name }, () => readAgain(client, { queryKey }));
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api<{ readonly events: readonly EndedCall[] }>('GET', '/events', {
        query: { tool: name, type: 'call-completed,call-failed', limit: CALLS },
        signal,
      }),
    select: ({ events }) => events.toReversed(),
  });
}

export interface CallInput {
  readonly arguments: object;
  readonly dryRun: boolean;
  readonly topology: string | undefined;
  readonly approval?: string | undefined;
  /** To what the call asked before: it goes on with them. */
  readonly answers?: Answers | undefined;
  /** W3C trace id, by which the call is found among the events. */
  readonly trace: string;
}

/** What the playground can be asked: forms, and pages to open. */
const CAPABILITIES = { elicitation: { form: {}, url: {} } };

/**
 * Calls a tool, and goes on with a call that asked something. Where a person must agree it does not wait, but says
 * which approval is open.
 */
export function useCallTool(name: string) {
  return useMutation({
    mutationFn: ({ trace, answers, ...body }: CallInput) =>
      api<CallAnswer | CallAsks>('POST', `/tools/${encodeURIComponent(name)}/call`, {
        body: { ...body, ...answers, clientCapabilities: CAPABILITIES, wait: 0 },
        headers: { traceparent: `00-${trace}-${randomHex(8)}-01` },
      }),
  });
}

export function newTrace(): string {
  return randomHex(16);
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'tool_unknown') return undefined;
  throw error;
}
