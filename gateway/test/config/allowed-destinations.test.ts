import { expect, it } from 'vitest';
import { withNamedDestinations } from '../../src/config/allowed-destinations.ts';
import { parseConfiguration } from '../../src/config/index.ts';

const allowed = async (configuration: object) =>
  (await parseConfiguration(configuration as never, { baseDirectory: '/', env: {} })).egress.allow;

it('every address that the operator wrote down may be reached, by its origin', async () => {
  expect(
    await allowed({
      egress: { allow: ['intranet.example'] },
      auth: { mode: 'team', jwt: { issuer: 'https://id.example/realm', audience: 'toolcrib' } },
      sources: {
        pets: {
          openapi: 'http://10.0.0.1/pets.json',
          baseUrl: 'http://10.0.0.2/v1',
          credentials: {
            oauth2: { clientId: 'crib', tokenUrl: 'http://10.0.0.3/token' },
            schemes: {
              ats: { nango: { integration: 'ats', baseUrl: 'http://10.0.0.4:3003/' } },
              own: { login: { url: 'http://10.0.0.5/login', form: { user: 'u' } } },
              near: { login: { url: '/login', form: { user: 'u' } } },
            },
          },
        },
      },
    }),
  ).toEqual([
    'intranet.example',
    'http://10.0.0.2',
    'http://10.0.0.1',
    'http://10.0.0.3',
    'http://10.0.0.4:3003',
    'http://10.0.0.5',
    'https://id.example',
  ]);
});

it('the host of a source behind a socket is not among them', async () => {
  const source = { openapi: './docker.yaml', baseUrl: 'http://localhost/v1.43' };
  expect(await allowed({ sources: { docker: { ...source, socketPath: '/run/docker.sock' } } })).toEqual([]);
  expect(await allowed({ sources: { docker: source } })).toEqual(['http://localhost']);
  const login = { url: 'http://localhost/login', body: { user: 'ann' } };
  const described = { openapi: 'http://localhost/openapi.json', credentials: { login } };
  const app = { ...described, baseUrl: 'http://localhost', socketPath: '/run/app.sock' };
  expect(await allowed({ sources: { app } })).toEqual([]);
  const elsewhere = { ...app, openapi: 'http://127.0.0.1:8000/openapi.json' };
  expect(await allowed({ sources: { app: elsewhere } })).toEqual(['http://127.0.0.1:8000']);
});

it('the keys of an identity provider may lie elsewhere', async () => {
  const jwt = { issuer: 'https://id.example', audience: 'a', jwksUrl: 'http://127.0.0.1:8080/keys' };
  expect(await allowed({ auth: { jwt } })).toEqual(['https://id.example', 'http://127.0.0.1:8080']);
});

it('a redirect of another origin may lead to those of the list alone, however often sources come and go', async () => {
  const parsed = await parseConfiguration(
    {
      egress: { allow: ['intranet.example'] },
      sources: { pets: { openapi: './pets.json', baseUrl: 'http://10.0.0.2/v1' } },
    } as never,
    { baseDirectory: '/', env: {} },
  );
  const again = withNamedDestinations({ ...parsed, sources: {} });
  for (const { redirects } of [parsed.egress, again]) expect(redirects).toEqual(['intranet.example']);
});
