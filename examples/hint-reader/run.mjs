// Hints of a kind of one's own: they are shown, and they make calls more careful.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from 'toolcrib';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';
import { adviceReader } from './advice.mjs';

const requests = [];
const shop = await listenOnLoopback((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  answerJson(response, 200, { orders: ['a clock'] });
});

const state = mkdtempSync(join(tmpdir(), 'toolcrib-hint-reader-'));
const gateway = await createGateway(
  {
    name: 'shop',
    topology: 'flat',
    stateDirectory: state,
    lock: { file: join(state, 'lock'), report: join(state, 'report') },
    watch: false,
    sources: { shop: { openapi: './shop.yaml', prefix: 'none', baseUrl: shop.url } },
  },
  { baseDirectory: import.meta.dirname, hintReaders: [adviceReader] },
);
const call = (tool, args) => gateway.call({ tool, arguments: args });

try {
  const described = await gateway.fetch(new Request('http://127.0.0.1/api/v1/tools/listOrders'));
  const { operation } = await described.json();
  assert.equal(operation.purpose, 'Orders, newest first');
  assert.equal(operation.hinted, true);

  const refund = await call('refundOrder', { id: '7' });
  assert.equal(refund.error.code, 'approval_required');
  assert.match(refund.error.message, /The money is gone\./);

  assert.deepEqual((await call('listOrders', {})).structured, { orders: ['a clock'] });
  assert.equal((await call('listOrders', {})).error.code, 'rate_limited');
  assert.deepEqual(requests, ['GET /orders']);
  console.log('ok  hint-reader: advice of its own kind asks a person and keeps a rate');
} finally {
  await gateway.close();
  shop.close();
  rmSync(state, { recursive: true, force: true });
}
