import {
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult as McpInputRequired,
  type ReadResourceResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-types.ts';
import type { CompletedResult, InputRequiredResult, Principal, Result } from '../../operations/index.ts';
import { channelOf, directChannel } from './call-channel.ts';
import { forwardChanges } from './change-notices.ts';
import type { AskedCall, DirectCalls } from './direct-calls.ts';
import { plainAnswer } from './plain-answer.ts';
import { answering } from './protocol-errors.ts';
import { createPublishedLists, type ListKind, type PublishedLists } from './published-lists.ts';
import { createRequestStates, type RequestStates, type StateTarget } from './request-states.ts';
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
  /** Told when a request begins; returns what to call when it ends. */
  readonly busy?: () => () => void;
  /** Takes the JSON of a page of tools, in pieces, to put it where the result then has `"tools":[]`. */
  readonly spliceTools?: (json: readonly Uint8Array[], request: string | number) => void;
  /** Where plain calls are carried out, once a first one has shown the way. */
  readonly direct?: DirectCalls;
}

export type McpServerFactory = (session: McpSession) => Server;

/** What every server of one endpoint shares: computed lists and the key that signs request states. */
export function createMcpServerFactory(core: GatewayCore): McpServerFactory {
  const lists = createPublishedLists(core);
  const states = createRequestStates();
  return (session) => createMcpServer(core, session, () => lists(session.principal), states);
}

/** The low-level SDK server of one client: it translates, the core decides. */
function createMcpServer(
  core: GatewayCore,
  session: McpSession,
  lists: () => PublishedLists,
  states: RequestStates,
): Server {
  const server = new Server(
    { name: core.name, version: core.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
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
  const context: Translation = { core, session, server, states };
  handleLists(server, lists, session.spliceTools);
  handleCalls(context, lists);
  handleResources(context);
  handlePrompts(context);
  if (session.stays) handleConnection(context);
  return server;
}

interface Translation {
  readonly core: GatewayCore;
  readonly session: McpSession;
  readonly server: Server;
  readonly states: RequestStates;
}

function handleLists(
  server: Server,
  lists: () => PublishedLists,
  spliceTools: McpSession['spliceTools'],
): void {
  const list = (kind: ListKind, params: { cursor?: string | undefined } | undefined) =>
    answering(() => {
      const { items, nextCursor } = lists().page(kind, params?.cursor);
      return { [kind]: items, ...(nextCursor === undefined ? {} : { nextCursor }) } as never;
    });
  server.setRequestHandler('tools/list', ({ params }, context) => {
    if (spliceTools === undefined) return list('tools', params);
    return answering(() => {
      const { json, nextCursor } = lists().page('tools', params?.cursor);
      spliceTools(json, context.mcpReq.id);
      return { tools: [], ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
  });
  server.setRequestHandler('resources/list', ({ params }) => list('resources', params));
  server.setRequestHandler('resources/templates/list', ({ params }) => list('resourceTemplates', params));
  server.setRequestHandler('prompts/list', ({ params }) => list('prompts', params));
}

function handleCalls(translation: Translation, lists: () => PublishedLists): void {
  const { core, server, session } = translation;
  const { direct } = session;
  const call = (asked: AskedCall, request: CoreRequest): Promise<Result> =>
    core.call({
      ...request,
      tool: asked.name,
      ...(asked.arguments === undefined ? {} : { arguments: asked.arguments }),
    });
  const toolResult = (result: CompletedResult, name: string) =>
    toolResultOf(result, { tool: lists().tool(name), anyStructured: session.era === 'modern' });
  const identity = session.era === 'modern' ? { name: core.name, version: core.version } : undefined;

  server.setRequestHandler('tools/call', ({ params }, context) => {
    const { id, envelope } = context.mcpReq;
    const asked = params as AskedCall;
    direct?.open({
      envelope,
      run: (next, signal) =>
        call(next, { principal: session.principal, signal, channel: directChannel(server, envelope) }),
      answer: (result, { name }) =>
        result.kind === 'completed' ? plainAnswer(toolResult(result, name), identity) : undefined,
    });
    return exchange(translation, context, asked.name, async (request) => {
      const result = await (direct?.begun(id) ?? call(asked, request));
      return result.kind === 'input_required' ? result : toolResult(result, asked.name);
    });
  });
}

function handleResources(translation: Translation): void {
  const { core, server } = translation;
  server.setRequestHandler('resources/read', ({ params }, context) =>
    exchange(translation, context, params.uri, async (request) => {
      const read = await core.readResource(params.uri, request);
      if (read.kind === 'input_required') return read;
      return { contents: [{ uri: read.uri, ...read.contents }] } satisfies ReadResourceResult;
    }),
  );
}

function handlePrompts(translation: Translation): void {
  const { core, server, session } = translation;
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    exchange(translation, context, params.name, async (request) => {
      const read = await core.getPrompt(params.name, params.arguments ?? {}, request);
      if (read.kind === 'input_required') return read;
      return {
        ...(read.description === undefined ? {} : { description: read.description }),
        messages: [...read.messages] as GetPromptResult['messages'],
      };
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
function handleConnection({ core, server, session }: Translation): void {
  const followed = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    return answering(() => {
      if (followed.size >= MAX_FOLLOWED || params.uri.length > MAX_URI) {
        throw new ToolcribError('overloaded', `A session follows ${MAX_FOLLOWED} resources at most.`);
      }
      followed.add(params.uri);
      return {};
    });
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    followed.delete(params.uri);
    return {};
  });
  const stop = forwardChanges(core, server, (uri) => session.era === 'modern' || followed.has(uri));
  const { onclose } = server;
  server.onclose = () => {
    stop();
    onclose?.();
  };
}

interface CoreRequest {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly channel: ReturnType<typeof channelOf>;
}

/** One request that may ask back: opens its state, runs it, and seals the state of what is not finished. */
async function exchange<T extends object>(
  { session, server, states }: Translation,
  context: ServerContext,
  name: string,
  run: (request: CoreRequest) => Promise<T | InputRequiredResult>,
): Promise<T | McpInputRequired> {
  const target: StateTarget = { principal: session.principal, method: context.mcpReq.method, name };
  const done = session.busy?.();
  try {
    return await answering(async () => {
      const answer = await run({
        principal: session.principal,
        signal: context.mcpReq.signal,
        channel: channelOf(server, context, states.open(context, target)),
      });
      return isInputRequired(answer) ? await question(answer, target, states) : answer;
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

function isInputRequired(answer: object): answer is InputRequiredResult {
  return (answer as { kind?: unknown }).kind === 'input_required';
}
