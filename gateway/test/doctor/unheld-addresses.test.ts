import { expect, it } from 'vitest';
import { checkUnheldAddresses } from '../../src/doctor/unheld-addresses.ts';
import { documentWith, liveFolder } from '../live-folder.ts';
import { liveService } from '../live-service.ts';

/** What is said of a document that is served on this machine. */
async function told(server: string, settings: object = {}, env: Record<string, string> = {}) {
  const service = await liveService(({ url }, response) => {
    if (url !== '/api.json') return false;
    const document = JSON.parse(documentWith(server, 'one', 'two'));
    if (server === 'https://two.example') document.paths['/two'].servers = [{ url: 'https://one.example' }];
    response.end(JSON.stringify(document));
    return true;
  });
  const { configure, start } = await liveFolder();
  await configure({
    watch: false,
    sources: { a: { openapi: `${service.base}/api.json`, ...settings } },
  });
  const gateway = await start();
  const look = () => checkUnheldAddresses(gateway.configuration, gateway.view().catalog, env);
  return { gateway, look, service };
}

const credentials = { bearer: 'token' };

it('a document of the web decides where a credential goes', async () => {
  const { gateway, look } = await told('https://api.example', { credentials });
  expect(look()).toEqual([
    {
      check: 'address of a',
      status: 'warning',
      message: expect.stringContaining('decides that its credential goes to https://api.example;'),
      next: expect.stringContaining('sources.a.baseUrl'),
    },
  ]);
  await gateway.accept();
  expect(look()).toEqual([]);
});

it('a variable of the environment is a credential, too', async () => {
  const { look } = await told('https://api.example', {}, { TOOLCRIB_A_BEARER: 'token' });
  expect(look()).toHaveLength(1);
});

it('no base URL is advised where there are several', async () => {
  const [finding] = (await told('https://two.example', { credentials })).look();
  expect(finding?.message).toMatch(/https:\/\/\w+\.example, https:\/\/\w+\.example;/);
  expect(finding?.next).toMatch(/^Write a lock/);
});

it('nothing is said without a credential, of its own host, and where the configuration names the address', async () => {
  expect((await told('https://api.example')).look()).toEqual([]);
  expect((await told('https://api.example', { credentials: 'none' })).look()).toEqual([]);
  expect((await told('/', { credentials })).look()).toEqual([]);
  expect((await told('https://api.example', { credentials, baseUrl: 'https://api.example' })).look()).toEqual(
    [],
  );
});
