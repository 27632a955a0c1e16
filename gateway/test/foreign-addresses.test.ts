import { expect, it } from 'vitest';
import { documentWith, liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

/** A service inside, which the configuration names for a source of its own, and a document that somebody else wrote. */
async function beside(document: string, theirs: object = {}, configuration: object = {}) {
  const inside = await liveService();
  const { put, configure, start } = await liveFolder();
  await put('inside.json', documentWith('https://api.example', 'one'));
  await put('theirs.json', document.replaceAll('https://inside.example', inside.base));
  const sources = {
    inside: { openapi: './inside.json', baseUrl: inside.base, credentials: 'none' },
    theirs: { openapi: './theirs.json', credentials: 'none', ...theirs },
  };
  await configure({ watch: false, sources, ...configuration });
  return { inside, gateway: await start() };
}

const REFUSED = {
  error: {
    code: 'egress_blocked',
    message: expect.stringContaining('the configuration names it for others'),
  },
};

it('a document names the private address of another source as its server: its calls do not go there', async () => {
  const { inside, gateway } = await beside(documentWith('https://inside.example', 'two'));
  expect(await gateway.call({ tool: 'theirs_two' })).toMatchObject(REFUSED);
  expect(inside.seen).toEqual([]);
  expect(await gateway.call({ tool: 'inside_one' })).not.toHaveProperty('error');
  expect(inside.seen.map(({ url }) => url)).toEqual(['/one']);
});

it('they do where the operator says so', async () => {
  const egress = { allow: ['127.0.0.1'] };
  const { gateway } = await beside(documentWith('https://inside.example', 'two'), {}, { egress });
  expect(await gateway.call({ tool: 'theirs_two' })).not.toHaveProperty('error');
});

it('nor does what a document refers to come from there', async () => {
  const document = JSON.parse(documentWith('https://api.example', 'two'));
  document.paths['/three'] = { $ref: 'https://inside.example/parts.json#/path' };
  const { inside, gateway } = await beside(JSON.stringify(document));
  expect(gateway.view().tools.map(({ tool }) => tool.name)).toEqual(['inside_one', 'theirs_two']);
  expect(inside.seen).toEqual([]);
});

it.each([
  [
    'token endpoint',
    {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://inside.example/token', scopes: {} } },
    },
  ],
  [
    'provider',
    { type: 'openIdConnect', openIdConnectUrl: 'https://inside.example/.well-known/openid-configuration' },
  ],
])('nor is a client shown to a %s that a document puts there', async (_what, scheme) => {
  const document = JSON.parse(documentWith('https://api.example', 'two'));
  document.components.securitySchemes.bearer = scheme;
  const credentials = { oauth2: { clientId: 'crib', clientSecret: 'a-secret' } };
  const { inside, gateway } = await beside(JSON.stringify(document), { credentials });
  expect(await gateway.call({ tool: 'theirs_two' })).toMatchObject(REFUSED);
  expect(inside.seen).toEqual([]);
});
