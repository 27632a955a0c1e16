// A gateway with a certificate of its own, reached by a client that starts programs. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandIn } from '../support/command.mjs';

const TOKEN = 'token-of-this-example-0123456789';
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-https-'));
for (const part of ['toolcrib.yaml', 'certificates'])
  await cp(join(import.meta.dirname, part), join(folder, part), { recursive: true });
const authority = join(folder, 'certificates/authority.pem');
const { serve, toolcribJson } = commandIn(folder, { TOOLCRIB_TOKEN: TOKEN });
const stops = [() => rm(folder, { recursive: true, force: true })];

try {
  const gateway = await serve();
  stops.push(() => gateway.stop());
  assert.match(gateway.url, /^https:/);

  // 1. Who does not know the authority sends nothing, not even the token.
  const relayWith = (variables) =>
    commandIn(folder, { TOOLCRIB_API_KEY: TOKEN, ...variables }).overStdio(
      'serve',
      '--stdio',
      '--remote',
      gateway.url,
    );
  const stranger = new Client({ name: 'stranger', version: '1.0.0' });
  await assert.rejects(stranger.connect(new StdioClientTransport({ ...relayWith({}), stderr: 'ignore' })));

  // 2. Who knows it has the gateway's tools.
  const client = new Client({ name: 'desktop', version: '1.0.0' });
  await client.connect(new StdioClientTransport(relayWith({ NODE_EXTRA_CA_CERTS: authority })));
  stops.push(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0);

  // 3. The doctor says until when the certificate is valid.
  const findings = JSON.stringify(await toolcribJson('doctor').catch(({ stdout }) => JSON.parse(stdout)));
  assert.match(findings, /the certificate is valid until 21\d\d/);
  console.log(`ok  https: ${tools.length} tools over https, for those alone who trust the certificate`);
} finally {
  for (const stop of stops.reverse()) await stop();
}
