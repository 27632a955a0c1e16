// A provider from one YAML file, called through MCP against a stand-in of its service. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { parse } from 'yaml';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

const seen = [];
const deskly = await listenOnLoopback(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  seen.push({ line: `${request.method} ${request.url}`, key: request.headers['x-deskly-key'], body });
  const answers = {
    'GET /v1/tickets?status=open': [200, [{ id: 7, subject: 'Printer', status: 'open' }]],
    'POST /v1/tickets/7/answers': [201, { id: 1 }],
  };
  const [status, answer] = answers[`${request.method} ${request.url}`] ?? [
    404,
    { message: 'No such ticket' },
  ];
  answerJson(response, status, answer);
});

process.env.DESKLY_KEY = 'k-1';
const configuration = parse(readFileSync(join(import.meta.dirname, 'toolcrib.yaml'), 'utf8'));
configuration.sources.deskly.baseUrl = `${deskly.url}/v1`;
const gateway = await createGateway(
  { ...configuration, store: 'none', watch: false, cache: false },
  { baseDirectory: import.meta.dirname },
);
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'add-a-provider', version: '1.0.0' });

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['deskly_answer_ticket', 'deskly_get_ticket', 'deskly_list_tickets'],
  );
  const call = (name, args) => client.callTool({ name, arguments: args });

  const listed = await call('deskly_list_tickets', { status: 'open' });
  assert.match(listed.content[0].text, /Printer/);
  assert.notEqual((await call('deskly_answer_ticket', { id: 7, text: 'Paper jam' })).isError, true);
  assert.equal((await call('deskly_get_ticket', { id: 8 })).isError, true);
  assert.equal((await call('deskly_list_tickets', { status: 'lost' })).isError, true);
  await assert.rejects(call('deskly_erase_customer', { id: 1 }));

  assert.deepEqual(seen, [
    { line: 'GET /v1/tickets?status=open', key: 'k-1', body: '' },
    { line: 'POST /v1/tickets/7/answers', key: 'k-1', body: '{"text":"Paper jam"}' },
    { line: 'GET /v1/tickets/8', key: 'k-1', body: '' },
  ]);
  console.log('ok  add-a-provider: one YAML file, one line of configuration, no code');
} finally {
  await client.close();
  await gateway.close();
  deskly.close();
}
