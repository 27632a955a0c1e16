import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  LOG_LEVEL_META_KEY,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { EgressFailure } from '../../egress/index.ts';
import { isObject } from '../../operations/index.ts';
import { TASKS_EXTENSION } from '../../operations/mcp-tasks.ts';
import { brokenOff } from './broken-off.ts';
import type { RemoteClient } from './remote-client.ts';
import type { RemoteKey } from './remote-key.ts';

const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const;

/** What the gateway reads of a request's `_meta` beside the protocol's own keys. */
const GOES_ALONG = /^(?:toolcrib\/|trace(?:parent|state)$)/;

/** One local client's server: it passes requests on and answers back, and decides nothing itself. */
export function createRelayServer(remote: RemoteClient, key: RemoteKey): Server {
  const { name = 'toolcrib', version = '0' } = remote.client.getServerVersion() ?? {};
  const instructions = remote.client.getInstructions();
  const offered = remote.client.getServerCapabilities() ?? {};
  const server = new Server(
    { name, version },
    {
      capabilities: {
        ...(offered.tools && { tools: { listChanged: true } }),
        ...(offered.resources && { resources: { listChanged: true } }),
        ...(offered.prompts && { prompts: { listChanged: true } }),
        ...(offered.completions && { completions: {} }),
        ...(offered.logging && { logging: {} }),
      },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  for (const method of METHODS) {
    if (!isOffered(method, offered)) continue;
    server.setRequestHandler(
      method,
      async (request, context) => relay(server, remote, key, method, request.params ?? {}, context) as never,
    );
  }
  const stop = remote.onNotice((notice) => {
    if (server.transport === undefined) return;
    const sent = {
      tools: () => server.sendToolListChanged(),
      resources: () => server.sendResourceListChanged(),
      prompts: () => server.sendPromptListChanged(),
    }[notice]();
    sent.catch((error: unknown) => server.onerror?.(error as Error));
  });
  const { onclose } = server;
  server.onclose = () => {
    stop();
    onclose?.();
  };
  return server;
}

function isOffered(method: (typeof METHODS)[number], offered: object): boolean {
  const [kind = ''] = method.split('/');
  return (kind === 'completion' ? 'completions' : kind) in offered;
}

async function relay(
  server: Server,
  remote: RemoteClient,
  key: RemoteKey,
  method: string,
  params: object,
  context: ServerContext,
): Promise<unknown> {
  const { mcpReq } = context;
  const progress = progressTo(context);
  const { _meta: _local, ...own } = params as Record<string, unknown>;
  const state = mcpReq.requestState();
  const sent = {
    ...own,
    ...(mcpReq.inputResponses === undefined ? {} : { inputResponses: mcpReq.inputResponses }),
    ...(state === undefined ? {} : { requestState: state }),
    _meta: metaOf(server, context),
  };
  try {
    const answer = await remote.request(method, sent, {
      signal: mcpReq.signal,
      ...(progress === undefined ? {} : { onprogress: progress.tell }),
    });
    await progress?.told();
    if (answer['resultType'] === 'input_required') return question(answer);
    return mcpReq.envelope === undefined ? inOlderRevision(answer) : answer;
  } catch (error) {
    throw relayedError(error, key, method);
  }
}

/** The caller's progress, told in its order and before the answer; undefined when nobody asked for it. */
function progressTo({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last: Promise<void> = Promise.resolve();
  return {
    tell(progress: Progress): void {
      const params = { ...progress, progressToken };
      last = last
        .then(() => mcpReq.notify({ method: 'notifications/progress', params }))
        .catch(() => undefined);
    },
    /** One turn before the answer: clients too may lose what comes in one piece with it. */
    async told(): Promise<void> {
      await last;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/**
 * What the local client can do, what it wants logged, and what it says of the call (its run, trace and approval) belong
 * to the request and go along; not that it follows tasks, whose results the SDK's client does not take: its calls are
 * answered when they have ended.
 */
function metaOf(server: Server, { mcpReq }: ServerContext): Record<string, unknown> {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  const level = envelope[LOG_LEVEL_META_KEY];
  const said = Object.entries(mcpReq._meta ?? {}).filter(([name]) => GOES_ALONG.test(name));
  return {
    ...Object.fromEntries(said),
    [CLIENT_CAPABILITIES_META_KEY]: withoutTasks(capabilities),
    ...(level === undefined ? {} : { [LOG_LEVEL_META_KEY]: level }),
  };
}

function withoutTasks(capabilities: unknown): unknown {
  if (!isObject(capabilities) || !isObject(capabilities['extensions'])) return capabilities;
  const { [TASKS_EXTENSION]: _tasks, ...extensions } = capabilities['extensions'];
  return { ...capabilities, extensions };
}

/**
 * Structured content may be any JSON value since 2026-07-28, as the gateway was asked; before, an object, and
 * clients refuse the whole answer. The content says the same.
 */
function inOlderRevision({ structuredContent, ...answer }: Record<string, unknown>): Record<string, unknown> {
  return isObject(structuredContent) ? { ...answer, structuredContent } : answer;
}

function question({ inputRequests, requestState }: Record<string, unknown>) {
  return inputRequired({
    inputRequests: (inputRequests ?? {}) as never,
    ...(typeof requestState === 'string' ? { requestState } : {}),
  });
}

/** The gateway's own protocol errors as they are; everything else says what is wrong with the way there. */
function relayedError(error: unknown, key: RemoteKey, method: string): ProtocolError {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  if (typeof code === 'number') return new ProtocolError(code, message ?? '', data);
  const status = isObject(data) ? data['status'] : (error as { status?: unknown }).status;
  const unauthorized = status === 401 || (error as Error).name === 'UnauthorizedError';
  const hasArrived = (error instanceof EgressFailure && error.sent !== 'none') || LOST.has(status);
  const told = unauthorized
    ? `unauthorized: The gateway refuses the API key in ${key.place}: it was revoked, has expired, or its user was disabled.`
    : hasArrived
      ? brokenOff(method, plain(message))
      : `upstream_unreachable: The gateway did not answer: ${plain(message)}`;
  return new ProtocolError(ProtocolErrorCode.InternalError, told);
}

/** Of a proxy in between whose gateway was gone before it had answered. */
const LOST: ReadonlySet<unknown> = new Set([502, 504]);

/** Text of a fault without what a header or body may have held. */
function plain(message: string | undefined): string {
  return (message ?? 'no reason given').replace(/tck_\S+/g, '[key]').slice(0, 300);
}
