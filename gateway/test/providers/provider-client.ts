import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createGateway, type Gateway } from '../../src/index.ts';
import { PERSON } from '../approved-calls.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { providerOf } from './shipped-providers.ts';

export interface ToolAnswer {
  readonly isError: boolean;
  /** Code of the failure, and the approval that the call waits for. */
  readonly code: string | undefined;
  readonly approval: string | undefined;
  readonly structured: unknown;
  /** Text blocks, joined. */
  readonly text: string;
}

/** A gateway with one shipped manifest in front of a double, and an MCP client connected over HTTP. */
export interface ProviderClient {
  readonly gateway: Gateway;
  /** Where it listens. */
  readonly url: string;
  readonly client: Client;
  toolNames(): Promise<string[]>;
  /** Calls the operation's tool. */
  call(operation: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Has a person at the command line agree. */
  approve(approval: string): Promise<void>;
  /** Calls it, and once more after a person agreed where one was asked. */
  callApproved(operation: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface ErrorMeta {
  readonly code: string;
  readonly details?: { readonly approval?: string };
}

/**
 * `source`: settings beyond the manifest, the double's address, its credentials and the acting user.
 * `configuration`: settings beside the sources.
 */
export async function connectProvider(
  manifest: string,
  double: ProviderDouble,
  source: object = {},
  configuration: object = {},
): Promise<ProviderClient> {
  const provider = providerOf(manifest);
  const directory = await mkdtemp(join(tmpdir(), 'toolcrib-provider-'));
  const gateway = await createGateway(
    {
      stateDirectory: directory,
      store: 'none',
      cache: false,
      tools: 'dynamic',
      sources: {
        [manifest]: {
          manifest,
          prefix: 'none',
          baseUrl: double.url,
          credentials: provider.credentials(double),
          ...(provider.actingUser === '' ? {} : { actingUser: provider.actingUser }),
          ...source,
        },
      },
      ...configuration,
    } as never,
    { baseDirectory: directory, env: {} },
  );
  const listening = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const client = new Client({ name: 'provider-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', listening.url)));
  const call: ProviderClient['call'] = async (operation, args = {}) => {
    const name = provider.prefix + operation;
    const answer = await client.callTool({ name, arguments: args });
    const texts = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const error = answer._meta?.['toolcrib/error'] as ErrorMeta | undefined;
    return {
      isError: answer.isError === true,
      code: error?.code,
      approval: error?.code === 'approval_required' ? error.details?.approval : undefined,
      structured: answer.structuredContent,
      text: texts.join('\n'),
    };
  };
  const approve = async (approval: string) => {
    await (await gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);
  };
  return {
    gateway,
    url: listening.url,
    client,
    call,
    approve,
    async callApproved(operation, args = {}) {
      const answer = await call(operation, args);
      if (answer.approval === undefined) return answer;
      await approve(answer.approval);
      return call(operation, args);
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      await client.close();
      await gateway.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The same for one test: closed after it, the double too. */
export async function connectForTest(
  manifest: string,
  double: ProviderDouble,
  source: object = {},
): Promise<ProviderClient> {
  onTestFinished(() => double.close());
  const provided = await connectProvider(manifest, double, source);
  onTestFinished(() => provided[Symbol.asyncDispose]());
  return provided;
}
