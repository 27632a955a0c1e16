import type { GatewayCore } from '../../../src/gateway-core.ts';
import type { Principal } from '../../../src/operations/index.ts';
import { startListening, stopListening } from '../../../src/server/http/listening/listener.ts';
import { createMcpHttp, type McpHttpOptions } from '../../../src/server/mcp/http/mcp-http.ts';
import type { FunctionSource } from '../../../src/sources/function/define.ts';
import { type FunctionGateway, functionGateway } from '../function-gateway.ts';

/** What every request of 2026-07-28 carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} },
};

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly body: any;
}

export interface McpEndpoint {
  readonly url: URL;
  readonly gateway: FunctionGateway;
  readonly mcp: ReturnType<typeof createMcpHttp>;
  /** Resolves when a client of an older revision has opened its stream for notices. */
  readonly listening: Promise<void>;
  /** One request of 2026-07-28. */
  ask(method: string, params?: object, headers?: Record<string, string>, envelope?: object): Promise<Answer>;
  /** One message of an older revision. */
  post(message: object, headers?: Record<string, string>): Promise<Answer>;
  /** Opens a session of an older revision; resolves with its id. */
  initialize(headers?: Record<string, string>, protocolVersion?: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * MCP over a real loopback port. `x-principal` names the caller, in place of the guards; `x-kind`, `x-key` and
 * `x-organisation` say more of it.
 */
export async function mcpEndpoint(
  source: FunctionSource,
  options: Partial<McpHttpOptions> = {},
  tasks?: NonNullable<GatewayCore['tasks']>,
): Promise<McpEndpoint> {
  const gateway = { ...functionGateway(source), ...(tasks === undefined ? {} : { tasks }) };
  const mcp = createMcpHttp(gateway, { maxBodyBytes: 1024 * 1024, ...options });
  const listening = Promise.withResolvers<void>();
  const serve = async (request: Request) => {
    const response = await mcp.fetch(request, principalOf(request));
    if (request.method === 'GET' && response.status === 200) listening.resolve();
    return response;
  };
  const { server, url } = await startListening(serve, '127.0.0.1', 0);
  const address = new URL('/mcp', url);
  const post = async (message: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(message),
    });
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  };
  return {
    url: address,
    gateway,
    mcp,
    listening: listening.promise,
    post,
    ask: (method, params = {}, headers = {}, envelope = ENVELOPE) => {
      const { name, uri, taskId } = params as { name?: string; uri?: string; taskId?: string };
      const target = name ?? uri ?? taskId;
      return post(
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
        {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(target === undefined ? {} : { 'mcp-name': target }),
          ...headers,
        },
      );
    },
    async initialize(headers = {}, protocolVersion = '2025-11-25') {
      const params = {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      };
      const answer = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
      return answer.headers.get('mcp-session-id') ?? '';
    },
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await stopListening(server, 0);
    },
  };
}

function principalOf({ headers }: Request): Principal {
  const kind = headers.get('x-kind') as Principal['kind'] | null;
  const key = headers.get('x-key');
  const organisation = headers.get('x-organisation');
  return {
    id: headers.get('x-principal') ?? 'local',
    kind: kind ?? 'user',
    maxAccess: 'delete',
    roles: [],
    ...(key === null ? {} : { key }),
    ...(organisation === null ? {} : { organisation }),
  };
}

/** JSON, or the last message of an event stream. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('event-stream'))
    return text === '' ? undefined : JSON.parse(text);
  const messages = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
  return messages.at(-1);
}

/** A `subscriptions/listen` of MCP 2026-07-28. */
export function listenRequest(notifications: object, signal: AbortSignal): RequestInit {
  return {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications, _meta: ENVELOPE },
    }),
  };
}
