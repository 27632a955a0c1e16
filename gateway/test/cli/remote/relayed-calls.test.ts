import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import type { CallRequest } from '../../../src/gateway-core.ts';
import type { CapabilityProfile } from '../../../src/server/http/admin/gateway-admin.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { commandFile } from '../../command-file.ts';
import { httpEndpoint } from '../../server/http/http-endpoint.ts';
import { temporaryHome } from '../command-run.ts';

const folder = temporaryHome();

/** A gateway whose tool goes on until it is told to end, having told its progress or not, and the calls it was asked for. */
async function gatewayAtWork() {
  const ended = Promise.withResolvers<void>();
  const asked: CallRequest[] = [];
  const work = defineTool({
    name: 'work',
    description: 'Works',
    handler: async ({ tells }: { tells?: boolean }, { channel }) => {
      if (tells) await channel.progress?.(1, 3);
      await ended.promise;
      return 'done';
    },
    input: { type: 'object', properties: { tells: { type: 'boolean' } } },
  });
  const profile = async (): Promise<CapabilityProfile> => ({
    roles: [],
    sources: [{ name: 's', category: 'ats', provider: 's', level: 'read-write', connection: 'connected' }],
    effectiveAccess: { ats: 'read-write' },
  });
  const endpoint = await httpEndpoint({ tools: [work] }, { drainMs: 400 }, { profile });
  const { call } = endpoint.gateway;
  endpoint.gateway.call = (request) => {
    asked.push(request);
    return call(request);
  };
  return {
    url: endpoint.url,
    asked,
    end: () => ended.resolve(),
    async [Symbol.asyncDispose]() {
      ended.resolve();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** A way to the gateway that can be cut, as by a gateway that is killed. */
async function wireTo(url: string) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(Number(new URL(url).port), '127.0.0.1'));
    keep(near).pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
    },
  };
}

async function desktop(url: string) {
  const client = new Client({ name: 'desktop', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandFile(), 'serve', '--stdio', '--remote', url],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.home },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

test.each([
  ['before it said anything', false],
  ['after it told its progress', true],
])(
  'a call that was under way when the gateway broke off %s may have happened, and is told so',
  async (_when, tells) => {
    await using gateway = await gatewayAtWork();
    await using wire = await wireTo(gateway.url);
    const client = await desktop(wire.url);
    const told = Promise.withResolvers<void>();
    const called = client.callTool(
      { name: 'work', arguments: { tells } },
      tells ? { onprogress: () => told.resolve() } : {},
    );
    called.catch(() => undefined);
    if (tells) await told.promise;
    else await expect.poll(() => gateway.asked.length).toBe(1);
    wire.cut();
    await expect(called).rejects.toThrow(/outcome_unknown: .* may have been carried out: check its effect/);
    await client.close();
  },
);

test('what a call says of itself goes along: its run and its trace', async () => {
  await using gateway = await gatewayAtWork();
  gateway.end();
  const client = await desktop(gateway.url);
  const said = {
    run: 'r7',
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    tracestate: 'rojo=1',
  };
  await client.callTool({
    name: 'work',
    arguments: {},
    _meta: {
      'toolcrib/run': said.run,
      traceparent: said.traceparent,
      tracestate: said.tracestate,
    },
  });
  expect(gateway.asked.at(-1)).toMatchObject(said);
  await client.close();
});
