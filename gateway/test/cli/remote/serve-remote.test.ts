import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Principal } from '../../../src/operations/index.ts';
import type { CapabilityProfile } from '../../../src/server/http/admin/gateway-admin.ts';
import { defineTool, type FunctionSource, output } from '../../../src/sources/function/define.ts';
import { commandFile } from '../../command-file.ts';
import { tlsService } from '../../egress/tls-service.ts';
import { httpEndpoint } from '../../server/http/http-endpoint.ts';
import { temporaryHome } from '../command-run.ts';
import { runCommand } from '../spawned-command.ts';

const KEY = 'tck_key_of_ann';
const folder = temporaryHome();

/** All progress has been seen: an answer that came with it could overtake it within the client. */
let arrived = Promise.withResolvers<void>();

const tools: FunctionSource = {
  tools: [
    defineTool({
      name: 'hello',
      description: 'Says hello',
      access: 'read',
      handler: () => ({ hello: 'you' }),
    }),
    defineTool({
      name: 'several',
      description: 'Answers a list, as most lists of providers are',
      access: 'read',
      handler: () => output({ content: [{ type: 'text', text: 'two' }], structured: [{ id: 1 }, { id: 2 }] }),
    }),
    defineTool({
      name: 'declared',
      description: 'Answers what its caller declared',
      access: 'read',
      handler: (_args, { channel }) => channel.clientCapabilities ?? {},
    }),
    defineTool({
      name: 'fail',
      description: 'Fails',
      handler: () => {
        throw new Error('out of paper');
      },
    }),
    defineTool({
      name: 'steps',
      description: 'Tells how far it is',
      handler: async (_args, { channel }) => {
        for (const step of [1, 2, 3]) await channel.progress?.(step, 3);
        await arrived.promise;
        return 'there';
      },
    }),
    defineTool({
      name: 'forever',
      description: 'Ends when it is cancelled',
      handler: (_args, { signal, notify }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            notify('prompts');
            reject(new Error('cancelled'));
          });
          notify('resources');
        }),
    }),
    defineTool({
      name: 'greet',
      description: 'Asks for a name',
      handler: (_args, { channel, inputRequired }) => {
        const answer = channel.inputResponses?.['name'] as { content?: { name?: string } } | undefined;
        if (answer !== undefined) return `Hello ${answer.content?.name}`;
        return inputRequired({
          name: {
            method: 'elicitation/create',
            params: {
              mode: 'form',
              message: 'Who?',
              requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
            },
          },
        });
      },
    }),
  ],
  resources: [{ uri: 'test://a', name: 'a', read: () => ({ mimeType: 'text/plain', text: 'content' }) }],
  prompts: [{ name: 'p', get: () => [{ role: 'user', content: { type: 'text', text: 'said' } }] }],
};

const USABLE: CapabilityProfile = {
  roles: [],
  sources: [
    {
      name: 'greenhouse',
      provider: 'greenhouse',
      category: 'ats',
      level: 'read-only',
      connection: 'connected',
    },
  ],
  effectiveAccess: { ats: 'read-only', email: 'none' },
};

/** A team's gateway on a loopback port; `keys` are those that are good now. */
async function teamGateway(profile = USABLE, port = 0) {
  const keys = new Set([KEY]);
  const ann: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
  const authenticate = async (bearer: string) => {
    if (keys.has(bearer)) return ann;
    throw new ToolcribError('unauthorized', 'The key is not valid.');
  };
  const endpoint = await httpEndpoint(
    tools,
    { port, drainMs: 400 },
    { profile: async () => profile },
    { authenticate },
  );
  return { ...endpoint, keys, port: Number(new URL(endpoint.url).port) };
}

/** A desktop client that starts the relay as its server. */
async function desktop(url: string, options: ConstructorParameters<typeof Client>[1] = {}) {
  const client = new Client({ name: 'desktop', version: '1' }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandFile(), 'serve', '--stdio', '--remote', url, '--key', 'env:TEAM_KEY'],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.home, TEAM_KEY: KEY },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

const REVISIONS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const;

describe.each(REVISIONS)('a desktop client on revision %s', (revision, options) => {
  test('tells the team gateway what it can, but not that it follows tasks: the relay does not', async () => {
    await using gateway = await teamGateway();
    const extensions = { 'io.modelcontextprotocol/tasks': {}, 'com.example/charts': {} };
    const client = await desktop(gateway.url, { ...options, capabilities: { sampling: {}, extensions } });
    expect((await client.callTool({ name: 'declared', arguments: {} })).structuredContent).toEqual({
      sampling: {},
      extensions: { 'com.example/charts': {} },
    });
    await client.close();
  });

  test('has the tools, calls, resources and prompts of the team gateway', async () => {
    await using gateway = await teamGateway();
    const client = await desktop(gateway.url, { ...options, capabilities: { elicitation: { form: {} } } });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'functions', version: '1.2.3' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'declared',
      'fail',
      'forever',
      'greet',
      'hello',
      'several',
      'steps',
    ]);
    expect(await client.callTool({ name: 'hello', arguments: {} })).toMatchObject({
      structuredContent: { hello: 'you' },
    });
    const { content, structuredContent } = await client.callTool({ name: 'several', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'two' }]);
    expect(structuredContent).toEqual(revision === '2026-07-28' ? [{ id: 1 }, { id: 2 }] : undefined);
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect(await client.readResource({ uri: 'test://a' })).toMatchObject({ contents: [{ text: 'content' }] });
    expect(await client.getPrompt({ name: 'p' })).toMatchObject({
      messages: [{ content: { text: 'said' } }],
    });
    const seen: number[] = [];
    arrived = Promise.withResolvers();
    const onprogress = ({ progress }: { progress: number }) => {
      if (seen.push(progress) === 3) arrived.resolve();
    };
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress });
    expect(seen).toEqual([1, 2, 3]);
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect(await client.callTool({ name: 'greet', arguments: {} })).toMatchObject({
      content: [{ text: 'Hello Ada' }],
    });
    await client.close();
  });
});

test('cancellation reaches the tool, list changes reach the client', async () => {
  await using gateway = await teamGateway();
  const changed = { tools: 0, resources: 0, prompts: 0 };
  const client = await desktop(gateway.url);
  client.setNotificationHandler('notifications/tools/list_changed', () => void changed.tools++);
  client.setNotificationHandler('notifications/resources/list_changed', () => void changed.resources++);
  client.setNotificationHandler('notifications/prompts/list_changed', () => void changed.prompts++);
  const call = new AbortController();
  const called = client.callTool({ name: 'forever', arguments: {} }, { signal: call.signal });
  called.catch(() => undefined);
  await expect.poll(() => changed.resources).toBeGreaterThan(0);
  call.abort();
  await expect(called).rejects.toThrow();
  await expect.poll(() => changed.prompts).toBeGreaterThan(0);
  gateway.gateway.swap({ tools: [] });
  await expect.poll(() => changed.tools).toBeGreaterThan(0);
  expect((await client.listTools()).tools).toEqual([]);
  await client.close();
});

test('a gateway that restarts is found again, and its lists count as changed', async () => {
  const first = await teamGateway();
  let changes = 0;
  const client = await desktop(first.url);
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  await client.callTool({ name: 'hello', arguments: {} });
  await first[Symbol.asyncDispose]();
  const waiting = client.callTool({ name: 'hello', arguments: {} });
  await using second = await teamGateway(USABLE, first.port);
  expect(await waiting).toMatchObject({ structuredContent: { hello: 'you' } });
  await expect.poll(() => changes).toBeGreaterThan(0);
  expect(second.port).toBe(first.port);
  await client.close();
});

test('a key that is revoked in the middle ends the next call with that reason', async () => {
  await using gateway = await teamGateway();
  const client = await desktop(gateway.url);
  await client.callTool({ name: 'hello', arguments: {} });
  gateway.keys.clear();
  await expect(client.callTool({ name: 'hello', arguments: {} })).rejects.toThrow(
    /unauthorized: The gateway refuses the API key in TEAM_KEY/,
  );
  await client.close();
});

describe('what is wrong at the start is said at once', () => {
  const relay = (
    url: string,
    words: readonly string[] = [],
    env: Record<string, string> = { TOOLCRIB_API_KEY: KEY },
  ) => runCommand(['serve', '--stdio', '--remote', url, ...words], { cwd: folder.home, env });

  test('a key that is refused, and no key at all; neither shows a key', async () => {
    await using gateway = await teamGateway();
    const refused = await relay(gateway.url, [], { TOOLCRIB_API_KEY: 'tck_other' });
    expect([refused.exit, refused.out]).toEqual([77, '']);
    expect(refused.err).toContain('refused the API key in TOOLCRIB_API_KEY');
    expect(refused.err).not.toContain('tck_other');
    expect(refused.err).toMatch(/next: .*API key .*TOOLCRIB_API_KEY/);
    const none = await relay(gateway.url, [], {});
    expect(none.err).toContain('there is none in TOOLCRIB_API_KEY');
    expect(none.err).toMatch(/next: .*API key .*TOOLCRIB_API_KEY.*--key/);
    const missing = await relay(gateway.url, ['--key', 'env:OTHER']);
    expect(missing.err).toContain('There is no API key in OTHER');
    expect(missing.err).toMatch(/next: .*OTHER.*--key/);
  });

  test('nothing that is connected', async () => {
    await using gateway = await teamGateway({
      roles: [],
      sources: [],
      effectiveAccess: { ats: 'none', email: 'disabled' },
    });
    expect((await relay(gateway.url)).err).toContain('error connection_missing');
  });

  test('an address without a gateway', async () => {
    const server = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { err } = await relay(url);
    expect(err).toContain('there is no Toolcrib gateway');
    expect(err).toMatch(/next: .*address/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("a certificate of a company's own authority, and how to name that", async () => {
    const service = await tlsService('neither');
    const { exit, err } = await relay(service.base);
    expect(exit).toBe(69);
    expect(err).toMatch(/no TLS certificate that can be trusted.*\n.*\n {2}next: .*NODE_EXTRA_CA_CERTS/);
    service.close();
  });

  test.each([
    [['serve', '--stdio', '--remote', 'http://tools.example.com'], 'use https'],
    [['serve', '--stdio', '--remote', 'https://u:p@tools.example.com'], 'holds no credential'],
    [['serve', '--stdio', '--remote', 'tools.example.com'], 'address of a gateway'],
    [['serve', '--remote', 'https://tools.example.com'], 'add --stdio'],
    [['serve', '--stdio', '--remote', 'https://tools.example.com', '--port', '1'], 'leave out'],
    [['serve', '--stdio', '--remote', 'https://tools.example.com', '--auth', 'bearer=env:X'], 'leave out'],
    [['serve', '--stdio', '--key', 'env:X'], '--remote'],
    [['connect', 'cursor', '--print', '--key', 'env:X'], '--remote'],
    [['serve', '--stdio', '--remote', 'https://tools.example.com', '--key', 'tck_x'], 'process list'],
  ])('%j', async (argv, message) => {
    const { exit, err } = await folder.run(argv);
    expect(exit).toBe(64);
    expect(err).toContain(message);
    expect(err).not.toContain('u:p');
  });
});

test.each([
  ['cursor', { TEAM_KEY: '${env:TEAM_KEY}' }],
  ['claude-code', { TEAM_KEY: '${TEAM_KEY}' }],
  ['claude-desktop', undefined],
])('connect %s --remote writes an entry that names the variable and never the key', async (client, env) => {
  const { exit, out } = await folder.run(
    [
      'connect',
      client,
      '--remote',
      'https://tools.example.com/mcp',
      '--key',
      'env:TEAM_KEY',
      '--print',
      '--json',
    ],
    { env: { TEAM_KEY: KEY } },
  );
  expect(exit).toBe(0);
  const { entry } = JSON.parse(out) as { entry: { args: string[]; env?: object } };
  expect(entry.args.slice(-6)).toEqual([
    'serve',
    '--stdio',
    '--remote',
    'https://tools.example.com',
    '--key',
    'env:TEAM_KEY',
  ]);
  expect(entry.env).toEqual(env);
  expect(out).not.toContain(KEY);
});
