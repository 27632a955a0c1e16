// The official clients list the fixture's tools and call one, over Streamable HTTP and standard input and output.
import { deepStrictEqual, match, ok } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FormerHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { run, STDIO_COMMAND, startGateway } from './started-gateway.mjs';
import { useTasks } from './tasks-client.mjs';

const [command, ...args] = STDIO_COMMAND;
const IDENTITY = { name: 'toolcrib-conformance', version: '1.0.0' };
/** The inspector keeps a catalog in its home folder; it gets one of its own. */
const home = await mkdtemp(join(tmpdir(), 'toolcrib-inspector-'));
const gateway = await startGateway();

const modern = { versionNegotiation: { mode: 'auto' } };
const checks = {
  'client 2.4.0, Streamable HTTP, 2026-07-28': () => current(new CurrentHttp(new URL(gateway.url)), modern),
  'client 2.4.0, Streamable HTTP, older revision': () => current(new CurrentHttp(new URL(gateway.url)), {}),
  'client 2.4.0, stdio, 2026-07-28': () => current(new CurrentStdio({ command, args }), modern),
  'client 2.4.0, stdio, older revision': () => current(new CurrentStdio({ command, args }), {}),
  'client of the extension Tasks 0.2.2, Streamable HTTP': () => useTasks(gateway.url, IDENTITY),
  'sdk 1.x client, Streamable HTTP': () => former(new FormerHttp(new URL(gateway.url))),
  'sdk 1.x client, stdio': () => former(new FormerStdio({ command, args })),
  'MCP Inspector, Streamable HTTP': () => inspector([gateway.url, '--transport', 'http']),
  'MCP Inspector, stdio': () => inspector([command, ...args]),
};

try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`✓ ${name}: ${await check()}`);
    } catch (error) {
      console.log(`✗ ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  await gateway.stop();
  await rm(home, { recursive: true, force: true });
}

async function current(transport, options) {
  const client = new CurrentClient(IDENTITY, options);
  await client.connect(transport);
  try {
    return await listAndCall(client, options === modern ? '2026-07-28' : '2025-11-25');
  } finally {
    await client.close();
  }
}

async function former(transport) {
  const client = new FormerClient(IDENTITY);
  await client.connect(transport);
  try {
    return await listAndCall(client);
  } finally {
    await client.close();
  }
}

async function listAndCall(client, revision) {
  if (revision !== undefined) deepStrictEqual(client.getNegotiatedProtocolVersion?.(), revision);
  const { tools } = await client.listTools();
  ok(
    tools.some(({ name }) => name === 'test_simple_text'),
    'test_simple_text is listed',
  );
  const { content } = await client.callTool({ name: 'test_simple_text', arguments: {} });
  match(content[0].text, /simple text response/);
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  return `${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts, one call`;
}

async function inspector(target) {
  const launcher = fileURLToPath(
    new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
  );
  const ask = async (...request) => {
    const result = await run([launcher, '--cli', ...target, ...request], {
      timeoutMs: 60_000,
      env: { HOME: home },
    });
    ok(result.code === 0, `the inspector ended with ${result.code}: ${result.stderr || result.stdout}`);
    return JSON.parse(result.stdout);
  };
  const { tools } = await ask('--method', 'tools/list');
  const { content } = await ask('--method', 'tools/call', '--tool-name', 'test_simple_text');
  match(content[0].text, /simple text response/);
  return `${tools.length} tools, one call`;
}
