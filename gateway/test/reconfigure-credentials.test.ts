import { expect, it } from 'vitest';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('exchanges a credential without reading the document, which may be away', async () => {
  let isAway = false;
  const service = await liveService(({ url }, response) => {
    if (url !== '/api.json') return false;
    if (isAway) response.statusCode = 503;
    response.end(isAway ? '{}' : documentWith('https://api.example', 'one'));
    return true;
  });
  const { configure, load, start } = await liveFolder();
  const write = (bearer: string, more: object = {}) =>
    configure({
      watch: false,
      sources: {
        a: {
          openapi: `${service.base}/api.json`,
          baseUrl: service.base,
          credentials: { bearer },
          ...more,
        },
      },
    });
  const tokens = () => service.seen.map(({ url, headers }) => headers.authorization ?? url);
  await write('first');
  const gateway = await start();
  await gateway.call({ tool: 'a_one' });
  await write('second', { headers: { 'x-tenant': 'acme' } });
  expect(await gateway.reconfigure(await load())).toMatchObject({ changed: ['a'] });
  await gateway.call({ tool: 'a_one' });
  expect(tokens()).toEqual(['/api.json', 'Bearer first', 'Bearer second']);
  expect(service.seen.at(-1)?.headers['x-tenant']).toBe('acme');

  isAway = true;
  // what decides about tools is read, and the last good state stays as a whole
  await write('third', { exclude: [{ operation: 'two' }] });
  await gateway.reconfigure(await load());
  await gateway.call({ tool: 'a_one' });
  expect(tokens().slice(3)).toEqual(['/api.json', 'Bearer second']);
  await write('fourth', { headers: { 'x-tenant': 'acme' } });
  await gateway.reconfigure(await load());
  await gateway.call({ tool: 'a_one' });
  expect(tokens().slice(5)).toEqual(['/api.json', 'Bearer fourth']);
});
