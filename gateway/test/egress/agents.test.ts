import { once } from 'node:events';
import { type Agent, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { openAgents } from '../../src/egress/index.ts';
import { REFUSED_PORT } from '../refused-port.ts';
import { AUTHORITY } from './certificates.ts';
import { startConnectProxy } from './connect-proxy.ts';
import { respond, startServer } from './recording-server.ts';
import { tlsService } from './tls-service.ts';

const PUBLIC = { address: '93.184.215.14', family: 4 };
const resolve = async () => [PUBLIC];

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

function kept<T extends { close(): unknown }>(resource: T): T {
  open.push(resource);
  return resource;
}

/** As an exporter of spans does it. */
async function post(url: string, agent: Agent): Promise<number | undefined> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const sent = request(new URL(url), { method: 'POST', agent });
  sent.end('{}');
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

describe('an agent for a library that sends by itself', () => {
  it('leads through the proxy, and keeps its tunnel', async () => {
    const server = kept(await startServer({ '/v1/traces': respond(200, '{}') }));
    const proxy = kept(await startConnectProxy({ leadsTo: server.authority }));
    const agents = kept(await openAgents({ proxy: { url: proxy.origin }, resolve }));
    const agent = await agents.agent('http:');
    expect(await post('http://collector.example:4318/v1/traces', agent)).toBe(200);
    expect(await post('http://collector.example:4318/v1/traces', agent)).toBe(200);
    expect(proxy.asked.map(({ target }) => target)).toEqual(['93.184.215.14:4318']);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'collector.example:4318' });
  });

  it('speaks TLS with what lies behind it, by authorities of its own', async () => {
    const service = kept(await tlsService('neither'));
    const proxy = kept(await startConnectProxy({ leadsTo: new URL(service.base).host }));
    const trusting = { proxy: { url: proxy.origin }, resolve };
    const agents = kept(await openAgents(trusting, { ca: AUTHORITY }));
    expect(await post('https://api.example.com/v1/traces', await agents.agent('https:'))).toBe(200);
    const strangers = kept(await openAgents(trusting));
    await expect(
      post('https://api.example.com/v1/traces', await strangers.agent('https:')),
    ).rejects.toMatchObject({ code: expect.stringMatching(/SELF_SIGNED|UNABLE/) });
  });

  it('passes the proxy by for what is private and named', async () => {
    const server = kept(await startServer({ '/v1/traces': respond(200, '{}') }));
    const proxy = { url: `http://127.0.0.1:${REFUSED_PORT}` };
    const agents = kept(await openAgents({ allow: [server.authority], proxy }));
    expect(await post(`http://${server.authority}/v1/traces`, await agents.agent('http:'))).toBe(200);
  });

  it('says what the proxy answered', async () => {
    const proxy = kept(await startConnectProxy({ leadsTo: '127.0.0.1:1', refuse: () => 403 }));
    const agents = kept(await openAgents({ proxy: { url: proxy.origin }, resolve }));
    await expect(
      post('http://collector.example/v1/traces', await agents.agent('http:')),
    ).rejects.toMatchObject({ kind: 'proxy_refused', message: expect.stringContaining('does not lead to') });
  });
});
