import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { exitOf, outputOf, spawnCommand } from '../../cli/spawned-command.ts';
import { commandFile } from '../../command-file.ts';
import type { ArmDouble } from '../../doubles/arm/arm.ts';
import { temporaryFolder } from './office.ts';

/** Words of `toolcrib azure` for an Azure; the token comes from the environment. */
const wordsFor = (arm: ArmDouble, more: readonly string[]) => [
  'azure',
  '-s',
  arm.subscription,
  '-g',
  arm.resourceGroup,
  '-l',
  arm.location,
  '-a',
  'envvar',
  '--arm-endpoint',
  arm.url,
  ...more,
];

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
}

/** A client of the real command. */
export interface ServedOffice {
  readonly client: Client;
  list(): Promise<ReadonlyMap<string, ListedTool>>;
  /** The list as soon as it holds: asked for again whenever the server says that it changed. */
  listOnce(
    holds: (tools: ReadonlyMap<string, ListedTool>) => boolean,
  ): Promise<ReadonlyMap<string, ListedTool>>;
  /** Resolves with the next notice that tools changed. */
  nextChange(): Promise<void>;
  call(
    tool: string,
    args?: Record<string, unknown>,
  ): Promise<{ readonly text: string; readonly failed: boolean }>;
}

/** Starts `toolcrib azure` over standard input and output, with a state folder of its own. */
export async function overStdio(
  arm: ArmDouble,
  { words = [], folder }: { readonly words?: readonly string[]; readonly folder?: string } = {},
): Promise<ServedOffice> {
  const cwd = folder ?? (await temporaryFolder());
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandFile(), ...wordsFor(arm, words)],
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      XDG_STATE_HOME: `${cwd}/state`,
      ARM_MCP_AUTH_TOKEN: arm.token(),
    },
    stderr: 'ignore',
  });
  return served((client) => client.connect(transport));
}

/** Starts it on a free port; ends with the test, by the signal that ends servers. */
export async function overHttp(arm: ArmDouble, words: readonly string[] = []): Promise<ServedOffice> {
  const cwd = await temporaryFolder();
  const child = spawnCommand([...wordsFor(arm, words), '--port', '0', '--json'], {
    cwd,
    env: { ARM_MCP_AUTH_TOKEN: arm.token() },
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exitOf(child);
  });
  const { mcp } = JSON.parse(await outputOf(child).line()) as { mcp: string };
  return served((client) => client.connect(new StreamableHTTPClientTransport(new URL(mcp))));
}

async function served(
  connect: (client: Client) => Promise<void>,
  options: ClientOptions = {},
): Promise<ServedOffice> {
  const client = new Client({ name: 'seed', version: '1' }, options);
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changed.resolve();
    changed = Promise.withResolvers();
  });
  onTestFinished(() => client.close().catch(() => undefined));
  await connect(client);
  const list = async () => new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
  return {
    client,
    list,
    async listOnce(holds) {
      for (;;) {
        const next = changed.promise;
        const tools = await list();
        if (holds(tools)) return tools;
        await next;
      }
    },
    nextChange: () => changed.promise,
    async call(tool, args = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: args });
      const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
      return { text, failed: isError === true };
    },
  };
}
