import {
  Client,
  type Progress,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';

export type Era = '2025-11-25' | '2026-07-28';
export const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];

export interface ConnectOptions {
  readonly era?: Era;
  /** Asked for by the address. */
  readonly topology?: string;
  readonly name?: string;
  /** Is told of changes of its list, which a client of the older era always is. */
  readonly follows?: boolean;
  /** The person at the client: what they decide about each call that asks. Absent: the client can ask nobody. */
  readonly person?: (message: string) => 'approve' | 'reject';
}

export interface CallOptions {
  readonly onprogress?: (progress: Progress) => void;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What came back, as a client reads it. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** Code of the failure. */
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly structured: unknown;
  /** Text blocks, joined. */
  readonly text: string;
  /** All of it, as JSON. */
  readonly whole: string;
  /** Addresses of resources in it. */
  readonly links: readonly string[];
}

export interface CroitClient {
  readonly client: Client;
  /** As it is now, past every cache of the client. */
  tools(): Promise<readonly Tool[]>;
  names(): Promise<readonly string[]>;
  call(name: string, args?: object, options?: CallOptions): Promise<ToolAnswer>;
  /** Resolves at the first notice from now on that the list of tools changed. */
  listChanged(): Promise<void>;
  close(): Promise<void>;
}

export async function connectClient(
  url: string,
  { era = '2026-07-28', topology, name = 'croit-test', person, follows = false }: ConnectOptions,
): Promise<CroitClient> {
  const address = new URL('/mcp', url);
  if (topology !== undefined) address.searchParams.set('topology', topology);
  const client = new Client(
    { name, version: '1' },
    {
      ...(era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
      ...(person === undefined ? {} : { capabilities: { elicitation: {} } }),
    },
  );
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { decision: person((params as { message: string }).message) },
    }));
  }
  const streaming = Promise.withResolvers<void>();
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'GET' && response.ok) streaming.resolve();
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: watched }));
  if (follows && era === '2026-07-28') await client.listen({ toolsListChanged: true });
  // notices go nowhere before the stream for them is open
  if (follows && era === '2025-11-25') await streaming.promise;
  const tools = async () => {
    const all: Tool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor }, {
        cacheMode: 'bypass',
      } as never);
      all.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  };
  return {
    client,
    tools,
    names: async () => (await tools()).map((tool) => tool.name),
    async listChanged() {
      const changed = Promise.withResolvers<void>();
      client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
      await changed.promise;
    },
    async call(tool, args = {}, { onprogress, meta } = {}) {
      const answer = await client.callTool(
        {
          name: tool,
          arguments: args as Record<string, unknown>,
          ...(meta === undefined ? {} : { _meta: meta }),
        },
        onprogress === undefined ? {} : { onprogress },
      );
      const error = answer._meta?.['toolcrib/error'] as
        | { readonly code: string; readonly details?: Record<string, unknown> }
        | undefined;
      return {
        isError: answer.isError === true,
        code: error?.code,
        details: error?.details ?? {},
        structured: answer.structuredContent,
        text: answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
        whole: JSON.stringify(answer),
        links: answer.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])),
      };
    },
    close: () => client.close(),
  };
}
