// Calls tools and shows that every call arrives at a webhook, signed, with a stored output. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, defineFunctions, defineTool } from 'toolcrib';
import { z } from 'zod';
import { startReceiver } from './receiver.mjs';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const state = await mkdtemp(join(tmpdir(), 'toolcrib-events-webhook-'));
const receiver = await startReceiver(SECRET);
const shop = defineFunctions({
  tools: [
    defineTool({
      name: 'list_orders',
      description: 'Lists orders.',
      access: 'read',
      input: z.object({ status: z.string().optional() }),
      handler: ({ status = 'open' }) => ({ orders: Array.from({ length: 25 }, (_, id) => ({ id, status })) }),
    }),
    defineTool({
      name: 'cancel_order',
      description: 'Cancels an order.',
      access: 'write',
      input: z.object({ id: z.int(), password: z.string() }),
      handler: () => {
        throw new Error('The order was shipped.');
      },
    }),
  ],
});
const gateway = await createGateway(
  {
    stateDirectory: state,
    watch: false,
    artifacts: { always: true },
    events: { webhooks: [{ name: 'ops', url: receiver.url, secret: SECRET, format: 'run' }] },
    server: { port: 0 },
  },
  { functions: { shop }, baseDirectory: state },
);

try {
  const { url } = await gateway.listen();
  const api = (path, headers = {}) => fetch(new URL(`/api/v1/${path}`, url), { headers });
  // a webhook is told of what comes after it began
  await gateway.call({ tool: 'list_orders' });
  await until(() => webhookBegan());
  receiver.refuse(1);
  await gateway.call({ tool: 'list_orders', arguments: { status: 'open' } });
  await gateway.call({ tool: 'cancel_order', arguments: { id: 7, password: 'correct horse' } });
  await receiver.until((all) => all.some(({ type }) => type === 'TOOL_CALL_FAILED'));

  const told = receiver.received.filter(({ type }) => type.startsWith('TOOL_CALL_')).slice(-4);
  assert.deepEqual(
    told.map(({ type }) => type),
    ['TOOL_CALL_STARTED', 'TOOL_CALL_COMPLETED', 'TOOL_CALL_STARTED', 'TOOL_CALL_FAILED'],
  );
  const [listing, listed, cancelling, failed] = told.map(({ data }) => data);
  assert.deepEqual(listing.input, { status: 'open' });
  assert.match(listed.summary, /^object, 1 member, /);
  assert.equal(listed.correlation_id, listing.correlation_id);
  assert.deepEqual(cancelling.input, { id: 7, password: '[redacted]' });
  assert.equal(failed.error_code, 'tool_failed');
  assert.ok(told.every(({ data }, index) => index === 0 || data.sequence > told[index - 1].data.sequence));

  const output = await api(`artifacts/${listed.output_artifact_id}`);
  assert.equal((await output.json()).orders.length, 25);
  const end = await api(`artifacts/${listed.output_artifact_id}`, { range: 'bytes=-2' });
  assert.deepEqual([end.status, await end.text()], [206, ']}']);

  const { events } = await (await api('events?type=call-failed')).json();
  assert.deepEqual([events.length, events[0].call], [1, failed.correlation_id]);
  console.log('ok  events-webhook: every call was told, signed and in order, and its output can be read');
} finally {
  await gateway.close();
  receiver.close();
  await rm(state, { recursive: true, force: true });
}

/** The webhook begins about a second after the gateway listens: from then on the store knows it. */
async function webhookBegan() {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(state, 'toolcrib.db'), { readOnly: true });
  try {
    return database.prepare('select count(*) as count from webhooks').get().count === 1;
  } finally {
    database.close();
  }
}

async function until(holds) {
  for (const end = Date.now() + 20_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('It took too long.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
