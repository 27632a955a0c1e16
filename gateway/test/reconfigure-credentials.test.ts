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
  await write('first', { headers: { 'X-Tenant': 'other' } });
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

it('what the configuration sends is no argument any more', async () => {
  const service = await liveService();
  const declared = { required: true, schema: { type: 'string' } };
  const parameters = [
    { in: 'header', name: 'X-Tenant', ...declared },
    { in: 'query', name: 'api-version', ...declared },
  ];
  const responses = { 200: { description: '' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    servers: [{ url: service.base }],
    paths: { '/one': { get: { operationId: 'one', parameters, responses } } },
  };
  const { configure, load, start, put } = await liveFolder();
  await put('keyed.json', JSON.stringify(document));
  const one = (more: object) =>
    configure({
      egress: { allow: [service.base] },
      sources: { a: { openapi: './keyed.json', ...more } },
    });
  await one({});
  const gateway = await start();
  const input = () => gateway.view().tools.find(({ name }) => name === 'a_one')?.tool.inputSchema;
  expect(input()).toMatchObject({ required: ['api-version', 'X-Tenant'] });
  await one({ headers: { 'x-tenant': 'acme' }, baseUrl: `${service.base}/?api-version=2` });
  expect(await gateway.reconfigure(await load())).toMatchObject({ changed: ['a'] });
  expect(input()?.properties ?? {}).toEqual({});
  expect(await gateway.call({ tool: 'a_one' })).toMatchObject({ status: 200 });
  expect(service.seen.at(-1)).toMatchObject({ url: '/one?api-version=2', headers: { 'x-tenant': 'acme' } });
  expect(gateway.diagnostics().map(({ code }) => code)).toContain('parameter-configured');
  await one({});
  await gateway.reconfigure(await load());
  expect(input()).toMatchObject({ required: ['api-version', 'X-Tenant'] });
});
