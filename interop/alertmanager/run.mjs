#!/usr/bin/env node
// A real API that nobody here wrote: silences of Prometheus Alertmanager through MCP tools, over stdio and Streamable
// HTTP, with the official client in both protocol eras. Needs Debian's prometheus-alertmanager and
// golang-github-prometheus-alertmanager-dev. Node 24; exit 0 when the story holds everywhere.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startAlertmanager, startToolcrib } from './daemons.mjs';
import { embeddedSwagger } from './embedded-swagger.mjs';
import { silenceStory } from './silence-story.mjs';

const TOOLCRIB = fileURLToPath(new URL('../../gateway/bin/toolcrib.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'toolcrib-alertmanager-'));
const running = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => tidy().finally(() => process.exit(1)));

try {
  const document = join(directory, 'alertmanager.json');
  writeFileSync(document, embeddedSwagger());
  const alertmanager = await startAlertmanager(directory);
  running.push(alertmanager);
  const serve = [
    TOOLCRIB,
    'serve',
    document,
    '--topology',
    'flat',
    '--base-url',
    `${alertmanager.url}/api/v2`,
    '--state-dir',
    join(directory, 'state'),
  ];
  const toolcrib = await startToolcrib(process.execPath, [...serve, '--port', '0', '--json']);
  running.push(toolcrib);
  const transports = {
    stdio: () => new StdioClientTransport({ command: process.execPath, args: [...serve, '--stdio'] }),
    'Streamable HTTP': () => new StreamableHTTPClientTransport(new URL(toolcrib.mcp)),
  };
  for (const [name, transport] of Object.entries(transports)) {
    for (const mode of ['legacy', 'auto']) {
      const client = new Client(
        { name: 'alertmanager-story', version: '1.0.0' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
      );
      const person = { asked: 0, decision: 'reject' };
      client.setRequestHandler('elicitation/create', () => {
        person.asked++;
        return { action: 'accept', content: { decision: person.decision } };
      });
      const started = performance.now();
      await client.connect(transport());
      try {
        await silenceStory(client, alertmanager.url, `${name}, ${mode}`, person);
      } finally {
        await client.close();
      }
      console.log(
        `ok  silence created, listed and, once a person agreed, expired over ${name} (${mode}) in ${Math.round(performance.now() - started)} ms`,
      );
    }
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await tidy();
}

async function tidy() {
  for (const process of running.splice(0).reverse()) await process.stop();
  rmSync(directory, { recursive: true, force: true });
}
