import { expect, it, onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createUpstreams } from '../../../src/upstreams/index.ts';
import { createUpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import { type Answer, startLoopbackService } from '../../doubles/loopback-service.ts';
import { remote } from '../remote.ts';
import { request } from '../scripted.ts';

const KEY = 'ghp_8fK2mQz0PpL91xYvTtR4';
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
};

/** A server of the handshake era that answers calls so. */
async function answering(odd: (id: number) => Answer) {
  const service = await startLoopbackService('/mcp', ({ method, body }) => {
    if (method !== 'POST') return { status: 405 };
    const { id, method: asked } = JSON.parse(String(body)) as { id?: number; method: string };
    if (id === undefined) return { status: 202 };
    if (asked === 'tools/call') return odd(id);
    const known = asked === 'initialize' || asked === 'ping';
    const answer = known ? { result: INITIALIZED } : { error: { code: -32601, message: 'no' } };
    return { status: 200, body: { jsonrpc: '2.0', id, ...answer } };
  });
  const egress = createEgress({ allow: [new URL(service.url).origin] });
  const secrets = createSecretReader({}, () => {});
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const upstreams = createUpstreams({
    record: () => {},
    openTransport: createOpenTransport({ egress, secrets, signIns }),
  });
  upstreams.configure([remote(service.url, { headers: { Authorization: `Bearer ${KEY}` } })]);
  onTestFinished(async () => {
    await upstreams.close();
    await egress.close();
    await service.close();
  });
  return upstreams;
}

const RESULT = { content: [{ type: 'text', text: 'fine' }] };
const text = (status: number, type: string, body: string): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
});

it.each<[string, (id: number) => Answer, string, string]>([
  ['nothing but 202', () => ({ status: 202 }), 'upstream_crashed', 'the answer broke off'],
  [
    'the id of another request',
    (id) => ({ status: 200, body: { jsonrpc: '2.0', id: id + 1, result: RESULT } }),
    'upstream_crashed',
    'the answer broke off',
  ],
  [
    'the id as text',
    (id) => ({ status: 200, body: { jsonrpc: '2.0', id: String(id), result: RESULT } }),
    'upstream_crashed',
    'the answer broke off',
  ],
  ['a page', () => text(200, 'text/html', '<h1>Sign in</h1>'), 'upstream_failed', 'answered with text/html'],
  ['nothing', () => text(200, 'application/json', ''), 'upstream_failed', 'no message of JSON-RPC'],
  [
    'a refusal in JSON-RPC',
    (id) => ({ status: 400, body: { jsonrpc: '2.0', id, error: { code: -32602, message: `no ${KEY}` } } }),
    'upstream_failed',
    'HTTP 400: "no [redacted]"',
  ],
  [
    'a refusal in words',
    () => text(422, 'text/plain', 'no such board'),
    'upstream_failed',
    '422: "no such board"',
  ],
])('a call that is answered with %s ends at once, and says so', async (_, odd, code, words) => {
  const upstreams = await answering(odd);
  await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  });
});
