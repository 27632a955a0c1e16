import { ToolcribError } from '../errors.ts';
import type { Completion, CompletionQuestion, InputRequiredResult, JsonObject } from '../operations/index.ts';
import { completionAnswer, pagesToOpen, promptAnswer, resourceAnswer, toolAnswer } from './answers.ts';
import { type Asked, callErrorOf, LIST } from './call-error.ts';
import { type CallEnd, type CallRequests, createCallRequests, single } from './call-requests.ts';
import { GRACE_MS, listEverything } from './listing.ts';
import { notAsked } from './not-asked.ts';
import { askedInOlderEra, needsOlderEra, olderEraEvent } from './older-questions.ts';
import { createOpenedPages } from './opened-pages.ts';
import { openable } from './page-address.ts';
import { headersFor, mirroredOf, type ParameterHeader } from './parameter-headers.ts';
import type { EraMemory } from './session/connect-client.ts';
import type { Session } from './session/session.ts';
import { ServerError, SessionError } from './session/session-error.ts';
import { startError } from './start-error.ts';
import { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.ts';
import { toolsAsTasks } from './tasks/task.ts';
import { callTool, type ToolListing } from './tasks/tool-call.ts';
import type {
  UpstreamAnswer,
  UpstreamDefinition,
  UpstreamListing,
  UpstreamPrompt,
  UpstreamRequest,
  UpstreamResource,
  UpstreamState,
} from './upstreams.ts';
import { endedBefore } from './waiting-room.ts';

export type UpstreamOptions = Omit<SupervisorOptions, 'principalKey' | 'memory' | 'pages'>;

/** One configured server with its sessions: one for all, or one for each principal. */
export interface Upstream {
  readonly definition: UpstreamDefinition;
  list(signal: AbortSignal): Promise<UpstreamListing>;
  ready(request: Pick<UpstreamRequest, 'principal' | 'signal'>): Promise<void>;
  call(
    tool: string,
    args: JsonObject,
    request: UpstreamRequest,
  ): Promise<UpstreamAnswer | InputRequiredResult>;
  read(uri: string, request: UpstreamRequest): Promise<UpstreamResource | InputRequiredResult>;
  prompt(
    prompt: string,
    args: Readonly<Record<string, string>>,
    request: UpstreamRequest,
  ): Promise<UpstreamPrompt | InputRequiredResult>;
  complete(question: CompletionQuestion, request: UpstreamRequest): Promise<Completion>;
  refollow(): void;
  state(): UpstreamState;
  /** Ends when the calls in flight have ended. */
  retire(): Promise<void>;
  end(): Promise<void>;
}

/** Sessions of one server at a time, where each principal has its own. */
const MAX_SESSIONS = 32;
const RPC = { methodNotFound: -32601, headerMismatch: -32020, pageToOpen: -32042 };

export function createUpstream(options: UpstreamOptions): Upstream {
  const { definition } = options;
  const { name } = definition;
  const isHttp = definition.transport.kind !== 'stdio';
  const memory: EraMemory = {};
  const pages = createOpenedPages();
  const supervisors = new Map<string, Supervisor>();
  let mirrored: ReadonlyMap<string, readonly ParameterHeader[]> = new Map();
  let asTasks: ReadonlySet<string> | undefined = new Set();
  let hasListed = false;

  const keyOf = (principal: string) => (definition.share === 'principal' ? principal : '');
  const supervisorOf = (principal: string): Supervisor => {
    const principalKey = keyOf(principal);
    const known = supervisors.get(principalKey);
    if (known !== undefined) return known;
    makeRoom(supervisors, name);
    const created = createSupervisor({
      ...options,
      principalKey,
      memory,
      pages,
      // what only one person uses waits for that person
      isWanted: () => principalKey === '' && options.isWanted(),
      onChange: (change) =>
        options.onChange(
          typeof change === 'string' || principalKey === '' ? change : { ...change, principal: principalKey },
        ),
    });
    supervisors.set(principalKey, created);
    return created;
  };

  /** Once more where nothing was carried out: nothing written, or an HTTP session that the server had forgotten. */
  const once = async <T>(
    principal: string,
    signal: AbortSignal,
    deadline: number,
    run: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const supervisor = supervisorOf(principal);
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw endedBefore(signal);
      const acquired = supervisor.acquire(signal, deadline);
      const session = acquired instanceof Promise ? await acquired : acquired;
      try {
        return await run(session);
      } catch (error) {
        const safe =
          error instanceof SessionError && (error.kind === 'unsent' || error.kind === 'session_lost');
        if (!safe || attempt > 1 || signal.aborted || !definition.restart) throw error;
      } finally {
        supervisor.release();
      }
    }
  };

  /** Connects anew in the older era; false where that was chosen before, or is not ours to choose. */
  const toOlderEra = (principal: string): boolean => {
    const isModern = supervisorOf(principal).state().era === 'modern';
    if (definition.era !== 'auto' || memory.chosen === true || !isModern) return false;
    Object.assign(memory, { legacy: true, chosen: true });
    options.record(olderEraEvent(name));
    for (const supervisor of supervisors.values()) supervisor.renew();
    return true;
  };

  const ask = async <T>(
    request: UpstreamRequest,
    asked: Asked,
    exchange: (call: CallRequests) => Promise<CallEnd>,
    answer: (result: JsonObject, unasked: ToolcribError | undefined) => T,
  ): Promise<T | InputRequiredResult> => {
    const call = createCallRequests(
      request,
      (signal, deadline, run) => once(request.principal, signal, deadline, run),
      () => supervisorOf(request.principal).hold(),
    );
    try {
      const end = await exchange(call);
      await call.told();
      return end.kind === 'result' ? answer(end.result, call.unasked) : openable(end, asked);
    } catch (error) {
      const first =
        error instanceof ServerError && error.code === RPC.pageToOpen ? pagesToOpen(error.data) : undefined;
      // a page that was opened and did not help is not offered in a circle
      if (first !== undefined && request.channel.inputResponses === undefined) {
        for (const { params } of Object.values(first.requests)) pages.asked(params, request.channel);
        return openable(first, asked);
      }
      const isOlder = error instanceof ServerError && needsOlderEra(error.message);
      if (isOlder && toOlderEra(request.principal)) throw askedInOlderEra(asked, error);
      const failed = callErrorOf(error, asked);
      const isAnswered = error instanceof ServerError && call.unasked !== undefined;
      throw isAnswered ? notAsked(asked, call.unasked, failed) : failed;
    } finally {
      call.close();
    }
  };

  const list = async (signal: AbortSignal): Promise<UpstreamListing> => {
    const deadline = Date.now() + 2 * definition.startTimeoutMs;
    try {
      const listing = await once('', signal, deadline, (session) =>
        listEverything(session, name, isHttp, {
          signal,
          deadline,
          ...(hasListed ? {} : { graceMs: GRACE_MS }),
        }),
      );
      hasListed = true;
      mirrored = mirroredOf(isHttp && listing.era === 'modern' ? listing.tools : []);
      asTasks = toolsAsTasks(listing);
      return listing;
    } catch (error) {
      throw callErrorOf(error, { name, what: LIST, repeatable: true });
    }
  };

  return {
    definition,
    list,
    async ready({ principal, signal }) {
      const principalKey = keyOf(principal);
      try {
        // a transport that is made is not started
        const made =
          supervisors.get(principalKey)?.opened ??
          (await options.openTransport(definition, principalKey, signal));
        await made.ready?.(signal);
      } catch (error) {
        throw startError(error, definition, options.redact);
      }
    },
    async call(tool, args, request) {
      const asked = { name, what: `tool ${tool}`, repeatable: request.repeatable };
      const tools: ToolListing = {
        termsOf(name) {
          const declared = mirrored.get(name);
          const headers = declared === undefined ? undefined : headersFor(declared, args);
          return { asTask: asTasks?.has(name) === true, ...(headers === undefined ? {} : { headers }) };
        },
        async renewed(code, name) {
          // refused for stale definitions, before anything was done
          if (isHttp && code === RPC.headerMismatch) return list(request.signal).then(() => true);
          if (code !== RPC.methodNotFound || asTasks === undefined || asTasks.has(name)) return false;
          return list(request.signal).then(() => asTasks?.has(name) === true);
        },
      };
      const params = { name: tool, arguments: args };
      return await ask(
        request,
        asked,
        (call) => callTool(params, tools, request.channel, call),
        (result, why) => {
          const answer = toolAnswer(result);
          if (why !== undefined) return { ...answer, unasked: notAsked(asked, why) };
          const isOlder = answer.failed && needsOlderEra(answer.content) && toOlderEra(request.principal);
          return isOlder ? { ...answer, unasked: askedInOlderEra(asked) } : answer;
        },
      );
    },
    read: (uri, request) =>
      ask(
        request,
        { name, what: `resource ${uri}`, repeatable: true, unknown: 'resource_unknown' },
        single('resources/read', { uri }),
        resourceAnswer,
      ),
    prompt: (prompt, args, request) =>
      ask(
        request,
        { name, what: `prompt ${prompt}`, repeatable: true, unknown: 'prompt_unknown' },
        single('prompts/get', { name: prompt, arguments: { ...args } }),
        promptAnswer,
      ),
    async complete({ reference, argument, value, chosen = {} }, request) {
      const ref =
        'prompt' in reference
          ? { type: 'ref/prompt', name: reference.prompt }
          : { type: 'ref/resource', uri: reference.template };
      const asked: Asked = {
        name,
        what: `completion of ${argument}`,
        repeatable: true,
        unknown: 'arguments_invalid',
      };
      const params = {
        ref,
        argument: { name: argument, value },
        ...(Object.keys(chosen).length === 0 ? {} : { context: { arguments: { ...chosen } } }),
      };
      try {
        const answer = await ask(request, asked, single('completion/complete', params), completionAnswer);
        return 'values' in answer ? answer : { values: [] };
      } catch (error) {
        if (rpcCodeOf(error) === RPC.methodNotFound) return { values: [] };
        throw error;
      }
    },
    refollow: () => {
      for (const supervisor of supervisors.values()) supervisor.refollow();
    },
    state: () => stateOf(name, [...supervisors.values()]),
    retire: async () => {
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.retire()));
    },
    end: async () => {
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.end()));
    },
  };
}

/** The session that was used longest ago, and is not used now, makes room. Throws `overloaded` where all are busy. */
function makeRoom(supervisors: Map<string, Supervisor>, name: string): void {
  if (supervisors.size < MAX_SESSIONS) return;
  const [oldest] = [...supervisors]
    .filter(([, supervisor]) => supervisor.busy === 0)
    .sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
  if (oldest === undefined)
    throw new ToolcribError(
      'overloaded',
      `${MAX_SESSIONS} people use "${name}" at this moment, each by a process of its own.`,
    );
  supervisors.delete(oldest[0]);
  void oldest[1].end();
}

function rpcCodeOf(error: unknown): unknown {
  return error instanceof ToolcribError ? error.details?.['rpc'] : undefined;
}

const ORDER = ['running', 'starting', 'waiting', 'failed', 'idle', 'stopped'] as const;

/** Of several sessions the liveliest speaks for the server. */
function stateOf(name: string, supervisors: readonly Supervisor[]): UpstreamState {
  const states = supervisors.map((supervisor) => supervisor.state());
  const [first] = states.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const restarts = states.reduce((sum, state) => sum + state.restarts, 0);
  return first === undefined ? { name, status: 'idle', restarts: 0 } : { ...first, restarts };
}
