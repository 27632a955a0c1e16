import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createUpstreams, type UpstreamDefinition } from '../../../src/upstreams/index.ts';
import { createUpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import { remote } from '../remote.ts';
import { request, textOf } from '../scripted.ts';

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
};
const RESULT = { content: [{ type: 'text', text: 'fine' }] };

type Handle = (asked: string, response: ServerResponse, answer: (result: object) => void) => boolean;

/** A server of the handshake era with a session; `handle` answers what it takes by hand, also GET. */
async function sessionServer(handle: Handle, changes: Partial<UpstreamDefinition> = {}) {
  const heard: string[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { id, method } = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const asked = method ?? incoming.method;
    heard.push(asked);
    const answer = (result: object) => {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's-1' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (handle(asked, response, answer)) return;
    if (asked === 'initialize') answer(INITIALIZED);
    else if (id === undefined) response.writeHead(202).end();
    else if (asked === 'tools/call') answer(RESULT);
    else answer({});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { origin } = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const egress = createEgress({ allow: [origin] });
  const secrets = createSecretReader({}, () => {});
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const upstreams = createUpstreams({
    record: () => {},
    openTransport: createOpenTransport({ egress, secrets, signIns }),
  });
  upstreams.configure([{ ...remote(`${origin}/mcp`, { oauth: 'none' }), era: 'legacy', ...changes }]);
  onTestFinished(async () => {
    await upstreams.close();
    await egress.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { upstreams, heard };
}

it('a server without a stream of its own that answers 404 where it should answer 405 has forgotten no session', async () => {
  const streamRefused = Promise.withResolvers<void>();
  const { upstreams, heard } = await sessionServer((asked, response) => {
    if (asked !== 'GET') return false;
    response.writeHead(404).end(() => streamRefused.resolve());
    return true;
  });
  expect(textOf(await upstreams.call('remote', 'show', {}, request()))).toBe('fine');
  await streamRefused.promise;
  for (const _ of [1, 2, 3])
    expect(textOf(await upstreams.call('remote', 'show', {}, request()))).toBe('fine');
  expect(heard.filter((asked) => asked === 'initialize')).toHaveLength(1);
  expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 0 }]);
});

it('a server that refuses to be asked too often lives, and the call that it works on goes on', async () => {
  let finish = () => {};
  let pings = 0;
  const { upstreams } = await sessionServer(
    (asked, response, answer) => {
      if (asked === 'tools/call') finish = () => answer(RESULT);
      else if (asked === 'ping') {
        response.writeHead(429).end();
        pings += 1;
        if (pings === 2) finish();
      } else return false;
      return true;
    },
    { hangMs: 2_000 },
  );
  expect(textOf(await upstreams.call('remote', 'show', {}, request()))).toBe('fine');
  expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 0 }]);
});
