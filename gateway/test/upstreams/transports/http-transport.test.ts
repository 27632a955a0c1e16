import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { openHttp } from '../../../src/upstreams/transports/http-transport.ts';

interface Received {
  readonly method: string;
  readonly message: { readonly id?: number; readonly method?: string };
}

/** A server that answers by hand; closed with every connection. */
async function serve(answer: (received: Received, response: ServerResponse) => void) {
  const methods: string[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    methods.push(incoming.method!);
    answer({ method: incoming.method!, message: body === '' ? {} : JSON.parse(body) }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, methods };
}

async function opened(url: string, kind: 'http' | 'sse' = 'http', send: typeof fetch = fetch) {
  const transport = await openHttp(kind, url, send);
  onTestFinished(() => transport.kill!());
  return transport;
}

const INITIALIZE: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const CALL: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const INITIALIZED: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/initialized' };
const NOTICE: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

describe('the older transport', () => {
  it.each([
    [400, true],
    [404, true],
    [405, true],
    [429, false],
    [500, false],
  ])('is tried where the first message is answered with %i: %s', async (status, isTried) => {
    const { url, methods } = await serve((_, response) => response.writeHead(status).end());
    const { transport } = await opened(url);
    await transport.start();
    // what the server said first is the reason, whatever comes of the second try
    await expect(transport.send(INITIALIZE)).rejects.toMatchObject({ data: { status } });
    expect(methods).toEqual(isTried ? ['POST', 'GET'] : ['POST']);
  });

  it('is not tried for another message', async () => {
    const { url, methods } = await serve((_, response) => response.writeHead(404).end());
    const { transport, fault } = await opened(url);
    await transport.start();
    await expect(transport.send(CALL)).rejects.toMatchObject({ data: { status: 404 } });
    expect(methods).toEqual(['POST']);
    // nor is it the end: there was no session that the server could have forgotten
    await new Promise((resolve) => setImmediate(resolve));
    expect(fault!()).toBeUndefined();
  });

  it.each(['http', 'sse'] as const)('tells why it was refused, of kind %s', async (kind) => {
    const { url } = await serve((_, response) => response.writeHead(405).end());
    const refusal = new ToolcribError('credentials_refused', 'No.');
    const send: typeof fetch = (target, init) =>
      init?.method === 'POST' ? fetch(target, init) : Promise.reject(refusal);
    const { transport } = await opened(url, kind, send);
    const tried =
      kind === 'sse' ? transport.start() : transport.start().then(() => transport.send(INITIALIZE));
    await expect(tried).rejects.toBe(refusal);
  });
});

describe("a server's own stream", () => {
  /** It accepts calls, and answers them on its stream. */
  async function streaming() {
    const heard = Promise.withResolvers<ServerResponse>();
    const { url } = await serve(({ method, message }, response) => {
      if (method === 'GET') {
        response.writeHead(200, events).flushHeaders();
        return heard.resolve(response);
      }
      if (message.method !== 'initialize') return response.writeHead(202).end();
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      };
      response.writeHead(200, { ...json, 'mcp-session-id': 's-1' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
    const own = await opened(url);
    await own.transport.start();
    await own.transport.send(INITIALIZE);
    const arrived = Promise.withResolvers<JSONRPCMessage>();
    own.transport.onmessage = (message) => arrived.resolve(message);
    await own.transport.send(INITIALIZED);
    const stream = await heard.promise;
    stream.write(`data: ${JSON.stringify(NOTICE)}\n\n`);
    await arrived.promise;
    return { ...own, stream };
  }

  it('may bring the answer to what was only accepted', async () => {
    const { transport, stream: own } = await streaming();
    const answered = Promise.withResolvers<JSONRPCMessage>();
    transport.onmessage = (message) => answered.resolve(message);
    let ended = false;
    await transport.send(CALL, {
      onRequestStreamEnd: () => {
        ended = true;
      },
    });
    expect(ended).toBe(false);
    own.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`);
    expect(await answered.promise).toMatchObject({ id: 1, result: {} });
  });

  it('is left when the connection is dropped, which is told once', async () => {
    const { transport, kill, stream: own } = await streaming();
    let closed = 0;
    transport.onclose = () => {
      closed += 1;
    };
    const left = new Promise((resolve) => own.on('close', resolve));
    await kill!();
    await kill!();
    await left;
    expect(closed).toBe(1);
  });
});
