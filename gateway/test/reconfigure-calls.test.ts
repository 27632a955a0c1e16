import { expect, it } from 'vitest';
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
