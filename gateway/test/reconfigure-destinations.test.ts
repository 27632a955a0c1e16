import { expect, it, onTestFinished } from 'vitest';
import { startConnectProxy } from './egress/connect-proxy.ts';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('lets calls go where a source led before until the next state of it counts', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const before = await liveService();
  const after = await liveService(async ({ url }, response) => {
    if (url !== '/api.json') return false;
    asked.resolve();
    await held.promise;
    response.end(documentWith('https://api.example', 'one'));
    return true;
  });
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', documentWith('https://api.example', 'one'));
  const write = (openapi: string, baseUrl: string, bearer: string) =>
    configure({ watch: false, sources: { a: { openapi, baseUrl, credentials: { bearer } } } });
  const one = { tool: 'a_one' };
  await write('./a.json', before.base, 'token-before');
  const gateway = await start();

  await write('./missing.json', after.base, 'token-after');
  await gateway.reconfigure(await load());
  expect(await gateway.call(one)).not.toHaveProperty('error');

  await write(`${after.base}/api.json`, after.base, 'token-after');
  const changing = gateway.reconfigure(await load());
  await asked.promise;
  expect(await gateway.call(one)).not.toHaveProperty('error');
  held.resolve();
  await changing;
  expect(await gateway.call(one)).not.toHaveProperty('error');
  expect(before.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-before',
    'Bearer token-before',
  ]);
  expect(after.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/api.json', undefined],
    ['/one', 'Bearer token-after'],
  ]);
});

it('closes what a source names no more', async () => {
  const service = await liveService();
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', documentWith(service.base, 'one'));
  const a = { openapi: './a.json', credentials: { bearer: 'token' } };
  await configure({ watch: false, sources: { a: { ...a, baseUrl: service.base } } });
  const gateway = await start();
  expect(await gateway.call({ tool: 'a_one' })).not.toHaveProperty('error');
  await configure({ watch: false, sources: { a } });
  await gateway.reconfigure(await load());
  expect(await gateway.call({ tool: 'a_one' })).toMatchObject({ error: { code: 'egress_blocked' } });
});

it('takes another proxy at the next request, and lets the last one be', async () => {
  const service = await liveService();
  const leadsTo = new URL(service.base).host;
  const proxies = [await startConnectProxy({ leadsTo }), await startConnectProxy({ leadsTo })];
  onTestFinished(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))));
  const [first, second] = proxies;
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', documentWith('http://93.184.215.14:8080', 'one'));
  const write = (url: string) =>
    configure({
      watch: false,
      egress: { proxy: { url } },
      sources: { a: { openapi: './a.json', credentials: { bearer: 'token' } } },
    });
  await write(first!.origin);
  const gateway = await start();
  expect(await gateway.call({ tool: 'a_one' })).not.toHaveProperty('error');
  await write(second!.origin.replace('://', '://ann:open-sesame@'));
  await gateway.reconfigure(await load());
  expect(await gateway.call({ tool: 'a_one' })).not.toHaveProperty('error');
  expect(first!.asked).toEqual([{ target: '93.184.215.14:8080', authorization: undefined }]);
  expect(second!.asked).toEqual([
    { target: '93.184.215.14:8080', authorization: 'Basic YW5uOm9wZW4tc2VzYW1l' },
  ]);
  expect(service.seen.map(({ url, headers }) => [url, headers['proxy-authorization']])).toEqual([
    ['/one', undefined],
    ['/one', undefined],
  ]);
});
