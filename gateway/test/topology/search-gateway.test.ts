import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompletedResult, createGateway, type Gateway } from '../../src/index.ts';
import type { ClientFacts } from '../../src/operations/index.ts';
import { openapi } from '../sources/openapi/describing.ts';
import { TICKETS } from './search-set.ts';

const OWN = ['call_tool', 'describe_tool', 'query_result', 'search_tools'];
const FOLLOWS: ClientFacts = { name: 'follower', followsLists: true };

let folder: string;
let service: Server;
let asked: string[];
let opened: Gateway[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-search-'));
  asked = [];
  opened = [];
  service = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  await writeFile(join(folder, 'desk.json'), JSON.stringify(TICKETS));
  await writeFile(join(folder, 'many.json'), JSON.stringify(openapi(manyPaths())));
});
afterEach(async () => {
  for (const gateway of opened) await gateway.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await rm(folder, { recursive: true });
});

async function open(more: object = {}): Promise<Gateway> {
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const gateway = await createGateway(
    {
      store: `sqlite:${join(folder, 'crib.db')}`,
      topology: 'search',
      watch: false,
      cache: false,
      sources: { desk: { openapi: 'desk.json', prefix: 'none', baseUrl } },
      ...more,
    } as never,
    { baseDirectory: folder } as never,
  );
  opened.push(gateway);
  return gateway;
}
const names = (gateway: Gateway, client?: ClientFacts) =>
  gateway.view(undefined, client).tools.map(({ name }) => name);
const call = async (gateway: Gateway, tool: string, args: object, client: ClientFacts = FOLLOWS) =>
  (await gateway.call({ tool, arguments: args as never, client })) as CompletedResult;
const textOf = ({ content }: CompletedResult) =>
  content.map((block) => ('text' in block ? block.text : '')).join();

describe('a gateway under search', () => {
  it('finds, describes and calls, and lists what was called', async () => {
    const gateway = await open();
    expect(names(gateway)).toEqual(OWN);
    expect(textOf(await call(gateway, 'search_tools', { query: 'one ticket with history' }))).toContain(
      'getTicket(id)',
    );
    expect(names(gateway)).toEqual(OWN);
    expect(textOf(await call(gateway, 'describe_tool', { name: 'getTicket' }))).toContain(
      'Number of the ticket',
    );
    const result = await call(gateway, 'call_tool', { name: 'getTicket', arguments: { id: '7' } });
    expect(result.structured).toEqual({ id: 7 });
    expect(asked).toEqual(['GET /tickets/7']);
    expect(names(gateway)).toEqual([...OWN, 'getTicket'].sort());
    expect(names(gateway)).toEqual([...OWN, 'getTicket'].sort());
    expect((await call(gateway, 'getTicket', { id: '8' })).structured).toEqual({ id: 7 });
  });

  it('lists nothing more for clients that do not follow their list', async () => {
    const gateway = await open();
    await call(gateway, 'call_tool', { name: 'getTicket', arguments: { id: '7' } }, { name: 'plain' });
    expect(names(gateway)).toEqual(OWN);
  });

  it('remembers across restarts, and tells other processes', async () => {
    const [first, second] = [await open(), await open()];
    const changed = Promise.withResolvers<void>();
    second.onChange((change) => change === 'tools' && changed.resolve());
    await call(second, 'describe_tool', { name: 'listTickets' });
    await call(first, 'describe_tool', { name: 'getTicket' });
    await changed.promise;
    await expect.poll(() => names(second)).toContain('getTicket');
    await first.close();
    const again = await open();
    await again.listen({ port: 0 });
    await expect.poll(() => names(again)).toEqual([...OWN, 'getTicket', 'listTickets'].sort());
  });

  it('validates what call_tool passes on by the schema of the operation', async () => {
    const gateway = await open();
    const { error } = await call(gateway, 'call_tool', { name: 'getTicket', arguments: {} });
    expect(error?.code).toBe('arguments_invalid');
    expect(asked).toEqual([]);
  });
});

describe('a gateway under discover', () => {
  it('lists small sources whole and the operations of large ones on demand', async () => {
    const gateway = await open({
      topology: 'discover',
      sources: {
        desk: { openapi: 'desk.json', prefix: 'none' },
        many: { openapi: 'many.json', prefix: 'none' },
      },
    });
    const before = ['call_tool', 'createTicket', 'deleteTicket', 'getTicket', 'listTickets', 'many_discover'];
    expect(names(gateway)).toEqual(before);
    const found = textOf(await call(gateway, 'many_discover', { query: 'thing 12' }));
    expect(found).toContain('readThing12 GET /things/12');
    await call(gateway, 'many_discover', { activate: ['readThing12'] });
    expect(names(gateway)).toEqual([...before, 'readThing12'].sort());
  });
});

function manyPaths(): object {
  return Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `/things/${index}`,
      {
        get: {
          operationId: `readThing${index}`,
          summary: `Reads thing ${index}.`,
          responses: { 200: { description: 'ok' } },
        },
      },
    ]),
  );
}
