import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { JsonObject } from '../../operations/index.ts';
import { TASKS_EXTENSION } from '../../operations/mcp-tasks.ts';
import type { OpenedPages } from '../opened-pages.ts';
import { lastWrote } from '../stdio/last-words.ts';
import { canBeTask, createdTaskId, makesTasks, relatedTask } from '../tasks/task.ts';
import type { OpenedTransport, OpenTransport, TransportFault } from '../transports/transport.ts';
import type { UpstreamChange, UpstreamDefinition } from '../upstreams.ts';
import { createCallsInFlight } from './calls-in-flight.ts';
import { connectClient, createSessionClient, type EraMemory, MODERN_VERSION } from './connect-client.ts';
import { modernEnvelope } from './envelope.ts';
import { createFollowing } from './following.ts';
import { createHangWatch } from './hang-watch.ts';
import { refusalOf } from './http-refusal.ts';
import { takeNotification } from './notifications.ts';
import { answerQuestion } from './questions.ts';
import { createRequests, type RequestTerms } from './requests.ts';
import { ofKnownType } from './result-type.ts';
import { ServerError, SessionError } from './session-error.ts';
import type { SessionFacts } from './session-facts.ts';
import { createStrays } from './strays.ts';
import { MOST_QUESTIONS, tapTransport } from './tapped-transport.ts';

/** Milliseconds for a refusal to arrive that was on its way when the session ended. */
const TELL_MS = 50;
/** Milliseconds in which the last words of a process that left are still read. */
const LEAVING_MS = 250;
const CANCEL_MS = 5_000;
const LONGEST_END_MS = 1_800;

export interface SessionOptions {
  readonly definition: UpstreamDefinition;
  /** `''`, or the principal that it serves. */
  readonly principalKey: string;
  readonly openTransport: OpenTransport;
  readonly memory: EraMemory;
  readonly pages: OpenedPages;
  onChange(change: UpstreamChange): void;
  /** A question was put to nobody, since it may have been meant for more than one person. */
  onUnasked(method: string): void;
  /** Called once, at the moment from which it is no use any more; without a fault it was ended on purpose. */
  onEnd(fault: TransportFault | undefined): void;
  /** The transport exists, even while the handshake lasts: to be killed when our own process ends. */
  onOpened(opened: OpenedTransport): void;
}

/** One connection to one server, after the handshake. Ends once; never starts again. */
export interface Session {
  readonly facts: SessionFacts;
  readonly opened: OpenedTransport;
  /** Requests that wait for an answer. */
  readonly busy: number;
  /** Answers to requests of callers and listings. */
  readonly answered: number;
  /** Throws SessionError, ServerError or ToolcribError. Params get the envelope of the server's era. */
  request(method: string, params: JsonObject, terms: RequestTerms): Promise<JsonObject>;
  /** The resources to follow from now on, all of them; the first time it begins to listen for changes. */
  follow(uris: ReadonlySet<string>): void;
  /** Ends it on purpose, politely; settles when the process is gone. */
  end(): Promise<void>;
  /** Settles when nothing is left of it. */
  readonly gone: Promise<void>;
}

/**
 * Opens the transport and shakes hands, or fails within `startTimeoutMs` and leaves nothing behind. A server that
 * exits at the probe of the newer era is remembered, and started again for the older one.
 */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const { definition, memory } = options;
  try {
    return await open(options, signal);
  } catch (error) {
    const probed = definition.era === 'auto' && memory.legacy !== true;
    if (memory.legacy === true) delete memory.legacy;
    if (!probed || definition.transport.kind !== 'stdio' || !hasLeftAtProbe(error) || signal.aborted)
      throw error;
    memory.legacy = true;
    return await open(options, signal).catch((again) => {
      delete memory.legacy;
      throw again;
    });
  }
}

async function open(options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const { definition, memory, principalKey } = options;
  const within = AbortSignal.any([signal, AbortSignal.timeout(definition.startTimeoutMs)]);
  const [client, opened] = await Promise.all([
    createSessionClient(definition, memory),
    options.openTransport(definition, principalKey, within),
  ]);
  options.onOpened(opened);
  const core = createCore(client, opened, options);
  try {
    await core.calls.outside(() => connectClient(client, core.transport, definition.startTimeoutMs, within));
    if (core.hasEnded()) throw new Error('The connection closed during the handshake.');
  } catch (error) {
    const fault = opened.fault?.();
    const isLate = within.aborted && !signal.aborted;
    const why = isLate ? tooLate(definition, opened) : fault?.message;
    await core.discard();
    if (why !== undefined && !signal.aborted)
      throw new ToolcribError('upstream_unavailable', why, { cause: error });
    throw error;
  }
  return core.started();
}

function tooLate({ startTimeoutMs }: UpstreamDefinition, { stderrTail }: OpenedTransport): string {
  return `it did not shake hands within ${startTimeoutMs} ms (startTimeout)${lastWrote(stderrTail?.() ?? '')}.`;
}

/** The SDK's message is all there is to tell it by. */
function hasLeftAtProbe(error: unknown): boolean {
  const cause = error instanceof ToolcribError ? error.cause : error;
  return cause instanceof Error && /closed/i.test(cause.message) && /probe/i.test(cause.message);
}

/** What a session consists of, wired before the transport starts. */
function createCore(client: Client, opened: OpenedTransport, options: SessionOptions) {
  const { definition } = options;
  const isStdio = definition.transport.kind === 'stdio';
  const calls = createCallsInFlight(!isStdio && opened.transport.hasPerRequestStream === true);
  const strays = createStrays(opened);
  let heardAt = Date.now();
  let ended = false;
  let facts: SessionFacts | undefined;
  const gone = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();

  const finish = (fault: TransportFault | undefined, force: boolean): Promise<void> => {
    if (ended) return gone.promise;
    ended = true;
    watch.stop();
    following.stop();
    const kind = fault?.kind === 'malformed' ? 'malformed' : 'lost';
    const fail = () =>
      requests.failAll(() => new SessionError(kind, fault?.message ?? 'The connection was closed.'));
    // of a lost HTTP session the requests that were told so hear it themselves: they were not carried out
    if (fault?.kind === 'session_lost') setTimeout(fail, TELL_MS);
    else fail();
    if (facts !== undefined) options.onEnd(fault);
    over.resolve();
    void dispose(client, opened, force).then(gone.resolve);
    return gone.promise;
  };

  const transport = tapTransport(opened.transport, isStdio, {
    ...(opened.conceal === undefined ? {} : { conceal: opened.conceal }),
    take(message) {
      heardAt = Date.now();
      return requests.take(message) || takeNotification(message, calls, options);
    },
    unasked: strays.answered,
    flooded() {
      const message = `The server has ${MOST_QUESTIONS} questions open.`;
      void finish({ kind: 'malformed', message }, true);
    },
    closed() {
      void finish(opened.fault?.() ?? { kind: 'exit', message: 'The connection was closed.' }, true);
    },
  });
  const requests = createRequests(
    opened.transport,
    calls,
    () => (facts?.era === 'modern' ? (modernEnvelope({}, undefined)['_meta'] as JsonObject) : undefined),
    (result) => {
      // of a call that was given up before its server said that it is a task
      const taskId = createdTaskId(result);
      if (taskId === undefined) return;
      const params = modernParams('tasks/cancel', { taskId });
      requests.send('tasks/cancel', params, { deadline: Date.now() + CANCEL_MS }).catch(() => undefined);
    },
  );
  const following = createFollowing(
    client,
    () => facts,
    () => {
      for (const list of ['tools', 'resources', 'prompts'] as const) options.onChange(list);
    },
  );
  const watch = createHangWatch({
    hangMs: definition.hangMs,
    open: () => requests.open,
    heardAt: () => heardAt,
    ping: async (deadline) => {
      const method = facts?.era === 'modern' ? 'server/discover' : 'ping';
      await requests.send(method, modernParams(method, {}), { deadline }).catch((error) => {
        // an error is an answer, and so is a refusal: of who is asked too often, for example
        if (!(error instanceof ServerError) && !isToolcribError(refusal(error))) throw error;
      });
    },
    hung: () =>
      void finish(
        { kind: 'exit', message: `The server gave no sign of life for ${definition.hangMs} ms (hang).` },
        true,
      ),
  });
  const refusal = (error: unknown): Error => {
    const hasSession = facts?.era === 'legacy' && opened.transport.sessionId !== undefined;
    return refusalOf(error, definition.name, hasSession, opened.conceal);
  };
  const modernParams = (method: string, params: JsonObject, terms?: RequestTerms): JsonObject => {
    if (facts?.era !== 'modern') return params;
    const extensions = canBeTask(method) && makesTasks(facts) ? [TASKS_EXTENSION] : [];
    return modernEnvelope(params, terms?.call?.channel, extensions);
  };

  client.fallbackRequestHandler = (request, context) => {
    const owner = calls.owner(relatedTask(request.params));
    if (owner === undefined && calls.isAmbiguous) options.onUnasked(request.method);
    if (owner !== undefined) options.pages.asked(request.params, owner.channel);
    const answer = () => answerQuestion(request, owner, context.mcpReq.signal);
    return owner === undefined ? answer() : calls.asking(owner, answer);
  };

  const request: Session['request'] = async (method, params, terms) => {
    if (ended) throw new SessionError('unsent', 'The connection has ended.');
    watch.arm();
    const withStrays = strays.since();
    try {
      const result = await requests.send(method, modernParams(method, params, terms), terms);
      return facts?.era === 'modern' ? ofKnownType(result) : result;
    } catch (error) {
      if (error instanceof SessionError || error instanceof ServerError) {
        // a broken stream may be the first sign of a server that is gone
        if (error instanceof SessionError && error.kind === 'lost') void watch.check();
        // whether the server is gone is found out first, so that another attempt waits for the next one
        if (error instanceof SessionError && error.kind === 'unsent')
          await (isStdio ? Promise.race([over.promise, setTimeoutPromise(LEAVING_MS)]) : watch.check());
        throw error instanceof SessionError ? withStrays(error) : error;
      }
      const refused = refusal(error);
      if (refused instanceof SessionError) {
        if (refused.kind === 'session_lost')
          void finish({ kind: 'session_lost', message: refused.message }, true);
        else void watch.check();
      }
      throw refused;
    }
  };

  const started = (): Session => {
    facts = factsOf(client);
    calls.outside(() => {
      if (facts?.era === 'legacy' && facts.capabilities['logging'] !== undefined)
        requests
          .send('logging/setLevel', { level: 'debug' }, { deadline: Date.now() + 10_000 })
          .catch(() => undefined);
    });
    return {
      facts,
      opened,
      request,
      follow: (uris) => calls.outside(() => following.set(uris)),
      end: () => finish(undefined, false),
      gone: gone.promise,
      get busy() {
        return requests.open;
      },
      get answered() {
        return requests.answered;
      },
    };
  };
  return { transport, calls, started, hasEnded: () => ended, discard: () => finish(undefined, true) };
}

function factsOf(client: Client): SessionFacts {
  const server = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    era: client.getNegotiatedProtocolVersion() === MODERN_VERSION ? 'modern' : 'legacy',
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    server: {
      name: server?.name ?? '',
      version: server?.version ?? '',
      ...(server?.title === undefined ? {} : { title: server.title }),
    },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

async function dispose(client: Client, opened: OpenedTransport, force: boolean): Promise<void> {
  const close = async () => {
    await Promise.allSettled([client.close(), opened.transport.close()]);
    await opened.kill?.();
  };
  if (force) opened.killNow?.();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_END_MS);
  });
  await Promise.race([force ? Promise.allSettled([opened.kill?.(), close()]) : close(), late]);
  clearTimeout(timer);
}
