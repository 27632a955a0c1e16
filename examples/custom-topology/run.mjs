// Two tools by harm instead of one an operation, by a topology of one's own. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { byHarm } from './by-harm.mjs';
import { noteFunctions } from './notes.mjs';

const gateway = await createGateway(
  { name: 'notes', topology: 'by-harm', store: 'none', watch: false },
  { topologies: [byHarm], functions: { notes: noteFunctions() } },
);
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'custom-topology', version: '1.0.0' });

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const call = (name, operation, given) =>
    client.callTool({ name, arguments: { operation, arguments: given } });

  // 1. The list is the topology's: what only reads says so.
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
    [
      ['change', false],
      ['look_up', true],
    ],
  );

  // 2. A call goes the way of every other call, to the operation that the arguments name.
  const added = await call('change', 'add_note', { text: 'repot the plants' });
  assert.deepEqual(added.structuredContent, { id: 2, text: 'repot the plants' });
  const found = await call('look_up', 'find_notes', { word: 'plants' });
  assert.equal(found.structuredContent.notes.length, 2);

  // 3. Arguments are checked against the operation's own schema, and the answer says what it takes.
  const refused = await call('look_up', 'find_notes', { words: 'plants' });
  assert.equal(refused.isError, true);
  assert.match(
    refused.content.map(({ text }) => text).join('\n'),
    /Arguments of find_notes: word \(string\)/,
  );

  // 4. A tool reaches nothing but what it was made of.
  const misled = await call('look_up', 'add_note', { text: 'not so' });
  assert.equal(misled.isError, true);
  console.log('ok  custom-topology: two tools, one that reads and one that changes');
} finally {
  await client.close();
  await gateway.close();
}
