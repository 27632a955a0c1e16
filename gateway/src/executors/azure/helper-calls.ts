import { ToolcribError } from '../../errors.ts';
import {
  type Connection,
  canonicalJson,
  type HelperCall,
  type Json,
  type Operation,
} from '../../operations/index.ts';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import type { ConnectorRoom, FindConnectorRoom } from './connector-room.ts';
import { adminSignsIn } from './consent.ts';
import { azureOf, type ConnectorRequest } from './envelope.ts';
import { type HelperFacts, helperRequest } from './helper-request.ts';
import { followPages } from './pages.ts';
import { type ConnectorRetry, DEFAULT_RETRY, sendRequest } from './send.ts';
import { isUnauthenticated } from './unauthenticated.ts';

export interface HelperCallOptions {
  readonly rooms: FindConnectorRoom;
  readonly retry?: ConnectorRetry;
  /** Milliseconds that an answer counts. Default 60 s. */
  readonly keptMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** One question to a helper operation. */
export interface HelperQuestion extends HelperFacts {
  /** Of the source. */
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Asks the connector again, whatever is known. */
  readonly fresh?: boolean;
}

export interface HelperAnswer {
  readonly value: Json;
  /** The connector has more than this. */
  readonly more: boolean;
  /** False: somebody else had asked before. */
  readonly asked: boolean;
}

export interface HelperCalls {
  /** Rejects with ToolcribError: an argument has to be given first, there is no helper, or it failed. */
  ask(call: HelperCall, question: HelperQuestion): Promise<HelperAnswer>;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 200;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_PAGES = 5;

interface Kept {
  readonly until: number;
  readonly answer: Promise<ReadAnswer>;
  /** Of the answer; 0 until it is there. */
  bytes: number;
}

interface ReadAnswer extends Omit<HelperAnswer, 'asked'> {
  readonly bytes: number;
}

/**
 * Calls of the operations that list values and tell schemas. Equal questions to one connection share an answer for a
 * minute; at most 200 are kept, of 32 MiB together, and failures are not.
 */
export function createHelperCalls({
  rooms,
  retry = DEFAULT_RETRY,
  keptMs = KEPT_MS,
  now = Date.now,
}: HelperCallOptions): HelperCalls {
  const kept = new Map<string, Kept>();
  return {
    async ask(call, question) {
      const { connection, operation, signal } = question;
      const { connection: name } = azureOf(operation);
      const room = await rooms(connection);
      const helper = await untilAborted(room.helper(name, call.operation), signal);
      if (helper === undefined) throw unusable(call, 'the connector has no such operation');
      if (!isReadingHelper(helper)) throw unusable(call, 'it may change something');
      const request = helperRequest(helper, call, question);
      const key = canonicalJson([connection.source, connection.name, name, call.operation, request]);
      const known = question.fresh ? undefined : kept.get(key);
      const asked = known === undefined || known.until <= now();
      const entry = asked
        ? { until: now() + keptMs, answer: read(room, helper, request, connection), bytes: 0 }
        : known;
      if (asked) keep(key, entry);
      const { value, more } = await untilAborted(entry.answer, signal);
      return { value, more, asked };
    },
  };

  function keep(key: string, entry: Kept): void {
    kept.delete(key);
    kept.set(key, entry);
    entry.answer.then(
      ({ bytes }) => {
        entry.bytes = bytes;
        makeRoom();
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    makeRoom();
  }

  /** What was asked longest ago goes first. */
  function makeRoom(): void {
    let bytes = 0;
    for (const entry of kept.values()) bytes += entry.bytes;
    for (const [key, entry] of kept) {
      if (kept.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES) break;
      kept.delete(key);
      bytes -= entry.bytes;
    }
  }

  /** Lives by itself: whoever asked first may go away. */
  async function read(
    room: ConnectorRoom,
    operation: Operation,
    request: ConnectorRequest,
    { limits }: Connection,
  ): Promise<ReadAnswer> {
    const signal = AbortSignal.timeout(limits.timeoutMs);
    const deadline = Date.now() + limits.timeoutMs;
    const send = (asking: ConnectorRequest) =>
      sendRequest({ room, operation, request: asking, limits, signal, deadline, retry });
    const first = await send(request);
    const { status } = first.answer;
    const { connection, api, operationId, pageable } = azureOf(operation);
    if (status < 200 || status >= 300) {
      if (isUnauthenticated(first.answer, room.status(connection))) throw adminSignsIn(connection);
      throw new ToolcribError('upstream_status', `${api}.${operationId} answered ${status}.`, { status });
    }
    const pages = { pages: MAX_PAGES, maxBytes: limits.maxBytes };
    const { answer } = await followPages(operation, {}, request, first, pages, send);
    const value = jsonOf(answer.body, `${api}.${operationId}`);
    return { value, more: hasMore(value, pageable?.nextLink), bytes: answer.body.length };
  }
}

/** As a word of its own: `OnNewItem`, not `OnboardUser`. */
const READING =
  /^(?:[Gg]et|GET|[Ll]ist|[Ss]earch|[Ff]ind|[Qq]uery|[Rr]ead|[Ff]etch|[Bb]rowse|[Rr]etrieve|[Ll]ook[Uu]p|[Ll]oad|[Oo]n)(?![a-z])/;

/**
 * Nobody is asked before a helper is called: it must read. Some helpers take their question in a body; those say by
 * their name that they read.
 */
function isReadingHelper({ access, invocation }: Operation): boolean {
  if (access === 'read') return true;
  if (access !== 'write' || invocation.kind !== 'azure') return false;
  const method = invocation.method.toUpperCase();
  return (method === 'POST' || method === 'PATCH') && READING.test(invocation.operationId);
}

function jsonOf(body: Uint8Array, name: string): Json {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new ToolcribError('upstream_failed', `${name} answered with what is no JSON.`);
  }
}

const NEXT_LINKS = ['@odata.nextLink', 'odata.nextLink', 'nextLink'];

function hasMore(value: Json, own: string | undefined): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return [...(own === undefined ? [] : [own]), ...NEXT_LINKS].some(
    (name) => Object.hasOwn(value, name) && typeof value[name] === 'string' && value[name] !== '',
  );
}

function unusable({ operation }: HelperCall, reason: string): ToolcribError {
  return new ToolcribError('source_invalid', `Helper ${operation} cannot be called: ${reason}.`);
}
