import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult as McpInputRequired,
  type ReadResourceResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { GatewayCore, PromptRead, ResourceRead } from '../../gateway-types.ts';
import type {
  CallChannel,
  ClientFacts,
  CompletedResult,
  InputRequiredResult,
  Principal,
  Result,
} from '../../operations/index.ts';
import { channelOf, directChannel } from './call-channel.ts';
import { callMeta } from './call-meta.ts';
import { forwardChanges } from './change-notices.ts';
import { type ClientWishes, clientFacts, type ListListeners } from './client-facts.ts';
import type { FollowedResources } from './followed-resources.ts';
import type { HeldCalls } from './held-calls.ts';
import { plainAnswer } from './plain-answer.ts';
import type { AskedCall, Begun, CallRoute, DirectWay, Envelope } from './plain-call.ts';
import { answering } from './protocol-errors.ts';
import { createPublishedLists, type ListKind, type PublishedLists } from './published-lists.ts';
import { createRequestStates, type RequestStates, type StateTarget } from './request-states.ts';
import { handleSkills, SKILLS_CAPABILITY } from './skills-extension.ts';
import { toolResultOf } from './tool-results.ts';

/** Lists change by notice; a client that listens to none asks again after a minute. */
const LIST_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;
const READ_HINT = { ttlMs: 0, cacheScope: 'private' } as const;
const MAX_COMPLETIONS = 100;
/** Resources that one session follows, and characters of one address: both are kept as long as the session. */
const MAX_FOLLOWED = 1000;
const MAX_URI = 8192;

/** One client: a connection that stays, or one request of the stateless revision. */
interface McpSession {
  readonly principal: Principal;
  readonly era: 'legacy' | 'modern';
  /** True: the server sends its own change notices until it is closed. */
  readonly stays: boolean;
  /** What its address asks for. */
  readonly wishes?: ClientWishes | undefined;
  /** Told when a request begins; returns what to call when it ends. */
  readonly busy?: () => () => void;
  /** Takes the JSON of a page of tools, in pieces, to put it where the result then has `"tools":[]`. */
  readonly spliceTools?: (json: readonly Uint8Array[], request: string | number) => void;
  /** Where plain calls are carried out, once a first one has shown the way. */
  readonly direct?: DirectWay;
}

/** What serves clients, with the SDK and without it. */
export interface McpServers {
  create(session: McpSession): Server;
  /** How plain calls go that come in a request of their own, with this envelope. */
  stateless(session: McpSession, envelope: Envelope): CallRoute;
}

/** What outlives a request: calls that wait for answers, and resources that clients follow. */
export interface EndpointState {
  readonly held: HeldCalls;
  readonly followed: FollowedResources;
  readonly listeners: ListListeners;
}

/** What every server of one endpoint shares, with computed lists and the key that signs request states. */
export function createMcpServers(core: GatewayCore, endpoint: EndpointState): McpServers {
  const published = createPublishedLists(core);
  const states = createRequestStates(core.requestKey);
  return {
    create: (session) => createMcpServer({ core, session, states, ...endpoint }, published),
    stateless(session, envelope) {
      const client = clientOf(session, undefined, UNKNOWN_SERVER, endpoint.listeners);
      const lists = (own: Envelope) => published(session.principal, client(own));
      const calls = callsOf({ core, session, client }, lists, undefined);
      return routeOf({ core, session, held: endpoint.held }, calls, envelope, () =>
        directChannel(undefined, envelope),
      );
    },
  };
}

/** Since 2026-07-28 a client says who it is in each request. */
const UNKNOWN_SERVER: Pick<Server, 'getClientVersion'> = { getClientVersion: () => undefined };

function clientOf(
  session: McpSession,
  id: string | undefined,
  server: Pick<Server, 'getClientVersion'>,
  listeners: ListListeners,
): Translation['client'] {
  return (envelope) => {
    const { principal, stays, wishes } = session;
    return clientFacts(server, envelope, { principal, stays, id, wishes }, listeners);
  };
}

/** The low-level SDK server of one client: it translates, the core decides. */
function createMcpServer(parts: Omit<Translation, 'server' | 'client'>, published: PublishedListsOf): Server {
  const { core, session, states, listeners } = parts;
  const server = new Server(
    { name: core.name, version: core.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        ...(core.skillEntries === undefined ? {} : { extensions: SKILLS_CAPABILITY }),
      },
      cacheHints: {
        'tools/list': LIST_HINT,
        'resources/list': LIST_HINT,
        'resources/templates/list': LIST_HINT,
        'prompts/list': LIST_HINT,
        'resources/read': READ_HINT,
      },
      requestState: { verify: states.verify },
    },
  );
  const id = session.stays ? randomUUID() : undefined;
  const client = clientOf(session, id, server, listeners);
  const lists = (envelope: Envelope) => published(session.principal, client(envelope));
  const context: Translation = { ...parts, server, client };
  handleLists(context, lists);
  handleCalls(context, lists, id);
  handleResources(context);
  handlePrompts(context);
  if (core.skillEntries !== undefined)
    handleSkills(server, core.skillEntries, session.principal, session.era);
  if (session.stays) handleConnection(context);
  return server;
}

interface Translation extends EndpointState {
  readonly core: GatewayCore;
  readonly session: McpSession;
  readonly server: Server;
  readonly states: RequestStates;
  readonly client: (envelope: Envelope) => ClientFacts;
}

type ListsOf = (envelope: Envelope) => PublishedLists;
type PublishedListsOf = ReturnType<typeof createPublishedLists>;

function handleLists({ core, server, session: { spliceTools } }: Translation, lists: ListsOf): void {
  const list = (
    kind: ListKind,
    params: { cursor?: string | undefined } | undefined,
    { mcpReq: { envelope } }: ServerContext,
  ) =>
    answering(async () => {
      await core.freshen?.();
      const { items, nextCursor } = lists(envelope).page(kind, params?.cursor);
      return { [kind]: items, ...(nextCursor === undefined ? {} : { nextCursor }) } as never;
    });
  server.setRequestHandler('tools/list', ({ params }, context) => {
    if (spliceTools === undefined) return list('tools', params, context);
    return answering(async () => {
      await core.freshen?.();
      const { json, nextCursor } = lists(context.mcpReq.envelope).page('tools', params?.cursor);
      spliceTools(json, context.mcpReq.id);
      return { tools: [], ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
  });
  server.setRequestHandler('resources/list', ({ params }, context) => list('resources', params, context));
  server.setRequestHandler('resources/templates/list', ({ params }, context) =>
    list('resourceTemplates', params, context),
  );
  server.setRequestHandler('prompts/list', ({ params }, context) => list('prompts', params, context));
}

/** Carries out calls of one client and words their results. */
interface Calls {
  call(asked: AskedCall, request: CoreRequest, envelope: Envelope): Promise<Result>;
  toolResult(result: CompletedResult, name: string, envelope: Envelope): CallToolResult;
}

/** @param ownRun a connection that stays is one run, unless its client says more */
function callsOf(
  { core, session, client }: Pick<Translation, 'core' | 'session' | 'client'>,
  lists: ListsOf,
  ownRun: string | undefined,
): Calls {
  return {
    call({ name, arguments: args, meta = {} }, request, envelope) {
      const { run = ownRun, traceparent, approval } = meta;
      return core.call({
        ...request,
        tool: name,
        client: client(envelope),
        ...(approval === undefined ? {} : { channel: { ...request.channel, approval } }),
        ...(args === undefined ? {} : { arguments: args }),
        ...(run === undefined ? {} : { run }),
        ...(traceparent === undefined ? {} : { traceparent }),
      });
    },
    toolResult: (result, name, envelope) =>
      toolResultOf(result, { tool: lists(envelope).tool(name), anyStructured: session.era === 'modern' }),
  };
}

/** The way of plain calls, without the SDK. */
function routeOf(
  { core, session, held }: Pick<Translation, 'core' | 'session' | 'held'>,
  { call, toolResult }: Calls,
  envelope: Envelope,
  channel: () => CallChannel,
): CallRoute {
  const modern = session.era === 'modern';
  return {
    envelope,
    run(asked, signal, side = (own) => own) {
      const request = { principal: session.principal, signal, channel: side(channel()) };
      const begin = (own: CoreRequest) => call(asked, own, envelope);
      return modern ? held.run(request, begin) : begin(request);
    },
    answer(result, { name }) {
      if (result.kind !== 'completed') return undefined;
      const identity = modern ? { name: core.name, version: core.version } : undefined;
      return plainAnswer(toolResult(result, name, envelope), identity);
    },
  };
}

function handleCalls(translation: Translation, lists: ListsOf, ownRun: string | undefined): void {
  const { server, session } = translation;
  const { direct } = session;
  const calls = callsOf(translation, lists, ownRun);
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const { id, envelope } = context.mcpReq;
    const { name, arguments: args } = params as AskedCall;
    const asked: AskedCall = {
      name,
      meta: callMeta(context.mcpReq._meta, context.http?.req),
      ...(args === undefined ? {} : { arguments: args }),
    };
    direct?.open(routeOf(translation, calls, envelope, () => directChannel(server, envelope)));
    return exchange(translation, context, asked.name, {
      begun: direct?.begun(id),
      run: (request) => calls.call(asked, request, envelope),
      answer: (result: CompletedResult) => calls.toolResult(result, asked.name, envelope),
      failed: (error) => calls.toolResult(failedResult(error), asked.name, envelope),
    });
  });
}

/** A person took too long: for the model that is an outcome of the call, not a fault of the request. */
function failedResult({ code, message, next }: ToolcribError): CompletedResult {
  return { kind: 'completed', content: [], error: { code, message, next } };
}

function handleResources(translation: Translation): void {
  const { core, server } = translation;
  server.setRequestHandler('resources/read', ({ params }, context) =>
    exchange(translation, context, params.uri, {
      run: (request) => core.readResource(params.uri, request),
      answer: ({ uri, contents, parts }: ResourceRead) => ({
        contents: [...(parts ?? [{ ...contents, uri }])] satisfies ReadResourceResult['contents'],
      }),
    }),
  );
}

function handlePrompts(translation: Translation): void {
  const { core, server, session } = translation;
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    exchange(translation, context, params.name, {
      run: (request) => core.getPrompt(params.name, params.arguments ?? {}, request),
      answer: ({ description, messages }: PromptRead) => ({
        ...(description === undefined ? {} : { description }),
        messages: [...messages] as GetPromptResult['messages'],
      }),
    }),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
    answering(async () => {
      const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
      const { name, value } = argument;
      const values = await core.complete(reference, name, value, session.principal);
      const hasMore = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
    }),
  );
}

/** Subscriptions of the older revisions and change notices; 2026-07-28 listens instead (`subscriptions/listen`). */
function handleConnection({ core, server, session, followed }: Translation): void {
  const own = new Map<string, () => void>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    return answering(() => {
      if (own.has(uri)) return {};
      if (own.size >= MAX_FOLLOWED || uri.length > MAX_URI) {
        throw new ToolcribError('overloaded', `A session follows ${MAX_FOLLOWED} resources at most.`);
      }
      own.set(uri, followed.follow(uri, session.principal));
      return {};
    });
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    own.get(uri)?.();
    own.delete(uri);
    return {};
  });
  const stop = forwardChanges(core, server, (uri) => session.era === 'modern' || own.has(uri));
  const { onclose } = server;
  server.onclose = () => {
    stop();
    for (const end of own.values()) end();
    own.clear();
    onclose?.();
  };
}

interface CoreRequest {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly channel: ReturnType<typeof channelOf>;
}

interface Exchange<A extends { readonly kind: string }, T extends object> {
  /** It is under way already. */
  readonly begun?: Begun<A | InputRequiredResult> | undefined;
  readonly run: (request: CoreRequest) => Promise<A | InputRequiredResult>;
  readonly answer: (answer: A) => T;
  /** The answer where nobody waits for the answers of the client any more; default: an error. */
  readonly failed?: (error: ToolcribError) => T;
}

/** One request that may ask back: opens its state, runs it, and seals the state of what is not finished. */
async function exchange<A extends { readonly kind: string }, T extends object>(
  { session, server, states, held }: Translation,
  context: ServerContext,
  name: string,
  { begun, run, answer, failed }: Exchange<A, T>,
): Promise<T | McpInputRequired> {
  const target: StateTarget = { principal: session.principal, method: context.mcpReq.method, name };
  const carryOut = async (): Promise<A | InputRequiredResult> => {
    if (begun !== undefined) {
      begun.attach?.(context.mcpReq.signal, channelOf(server, context, undefined, session.era));
      return begun.result;
    }
    const request: CoreRequest = {
      principal: session.principal,
      signal: context.mcpReq.signal,
      channel: channelOf(server, context, states.open(context, target), session.era),
    };
    return session.era === 'modern' ? held.run(request, run) : run(request);
  };
  const done = session.busy?.();
  try {
    return await answering(async () => {
      try {
        const result = await carryOut();
        return isInputRequired(result) ? await question(result, target, states) : answer(result);
      } catch (error) {
        if (failed !== undefined && isToolcribError(error) && error.code === 'input_expired')
          return failed(error);
        throw error;
      }
    });
  } finally {
    done?.();
  }
}

async function question(
  { requests, state }: InputRequiredResult,
  target: StateTarget,
  states: RequestStates,
): Promise<McpInputRequired> {
  return inputRequired({
    inputRequests: requests as never,
    ...(state === undefined ? {} : { requestState: await states.seal(state, target) }),
  });
}

function isInputRequired(answer: { readonly kind: string }): answer is InputRequiredResult {
  return answer.kind === 'input_required';
}
