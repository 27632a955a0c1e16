import { expect, it } from 'vitest';
import type { Topology } from '../src/index.ts';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService, type SeenRequest } from './live-service.ts';

const tokensTo = (seen: readonly SeenRequest[]) =>
  seen.filter(({ url }) => url === '/one').map(({ headers }) => headers.authorization);

it('sends no credential of the next configuration where the last one led', async () => {
  const held = Promise.withResolvers<void>();
  let holds = false;
  let isAsked = false;
  const before = await liveService(async ({ url }, response) => {
    if (url !== '/me') return false;
    if (holds) {
      isAsked = true;
      await held.promise;
    }
    response.end('{"roles":["ADMIN"]}');
    return true;
  });
  const after = await liveService(({ url }, response) => {
    if (url === '/me') response.end('{"roles":["ADMIN"]}');
    return url === '/me';
  });
  const { put, configure, load, start } = await liveFolder();
  await put('before.json', documentWith(before.base, 'one'));
  await put('after.json', documentWith(after.base, 'one'));
  const write = (document: string, bearer: string) =>
    configure({
      watch: false,
      egress: { allow: [before.base, after.base] },
      sources: {
        a: {
          openapi: document,
          credentials: { bearer },
          // calls wait for the answer
          permissions: { extension: 'x-needs', probe: { path: '/me', roles: '/roles', ttl: '20ms' } },
        },
      },
    });
  await write('./before.json', 'token-before');
  const gateway = await start();
  await write('./after.json', 'token-after');
  holds = true;
  const calls: Promise<unknown>[] = [];
  await expect
    .poll(() => {
      calls.push(gateway.call({ tool: 'a_one' }));
      return isAsked;
    })
    .toBe(true);
  await gateway.reconfigure(await load());
  held.resolve();
  await Promise.all(calls);
  await gateway.call({ tool: 'a_one' });
  expect(tokensTo(before.seen)).toEqual(calls.map(() => 'Bearer token-before'));
  expect(tokensTo(after.seen)).toEqual(['Bearer token-after']);
});

it.each([
  ['goes where the operation leads now', 'one', ['Bearer token-after']],
  ['is refused where the operation is gone', 'two', []],
])("a topology's call that was resolved before the exchange %s", async (_, operation, tokens) => {
  const [before, after] = [await liveService(), await liveService()];
  const { put, configure, load, start } = await liveFolder(['held']);
  await put('before.json', documentWith(before.base, 'one'));
  await put('after.json', documentWith(after.base, operation));
  const write = (document: string, bearer: string) =>
    configure({
      watch: false,
      topology: 'held',
      egress: { allow: [before.base, after.base] },
      sources: { a: { openapi: document, credentials: { bearer } } },
    });
  const [entered, exchanged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: Topology = {
    name: 'held',
    shapes: false,
    publish: ({ operations: [first] }) => [
      {
        name: 'ask',
        tool: {
          name: 'ask',
          description: 'Asks.',
          inputSchema: { type: 'object' },
          annotations: {
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: true,
          },
        },
        reaches: [first!.operation],
        async resolve() {
          const operation = first!.load();
          entered.resolve();
          await exchanged.promise;
          return { operation, arguments: {} };
        },
      },
    ],
  };
  await write('./before.json', 'token-before');
  const gateway = await start({ topologies: [held] });
  const call = gateway.call({ tool: 'ask' }).catch((error: unknown) => error);
  await entered.promise;
  await write('./after.json', 'token-after');
  await gateway.reconfigure(await load());
  exchanged.resolve();
  const outcome = await call;
  expect(tokensTo(before.seen)).toEqual([]);
  expect(tokensTo(after.seen)).toEqual(tokens);
  if (tokens.length === 0) expect(outcome).toMatchObject({ code: 'tool_unknown' });
});
