import { describe, expect, test } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { azureOf } from '../../../src/config/settings/azure.ts';

const parse = (azure: object, env: Record<string, string> = {}, more: object = {}) =>
  parseConfiguration({ sources: { office: { azure, ...more } } }, { env, baseDirectory: '/srv/crib' });
const GROUP = { subscription: '0aa1', resourceGroup: 'rg-office' };
const settingsOf = async (azure: object, env?: Record<string, string>) => {
  const { sources } = await parse({ ...GROUP, ...azure }, env);
  return azureOf(sources['office']!)!;
};
const refused = (azure: object) =>
  parse({ ...GROUP, ...azure }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('sources with azure:', () => {
  test('two names are enough; the rest has defaults', async () => {
    const { sources, egress } = await parse(GROUP);
    expect(sources['office']).toMatchObject({ kind: 'azure', prefix: 'none' });
    expect(azureOf(sources['office']!)).toEqual({
      ...GROUP,
      location: 'westus',
      authentication: 'interactive',
      armEndpoint: 'https://management.azure.com',
      scope: 'https://management.azure.com/.default',
      includeDeprecated: true,
      dynamicValues: 'explain',
      pages: 10,
      refreshMs: 300_000,
      consentRedirectUrl: 'http://localhost:8080',
    });
    expect(egress.allow).toEqual(['https://management.azure.com']);
  });

  test('everything can be said', async () => {
    const said = {
      location: 'West Europe',
      authentication: 'envvar',
      tenant: 'contoso.example',
      armEndpoint: 'http://127.0.0.1:4711/',
      scope: 'https://arm.example/.default',
      authorityHost: 'https://login.example/',
      includeDeprecated: false,
      maxToolsPerApi: 20,
      connections: ['teams', 'office365', 'teams'],
      dynamicValues: 'check',
      pages: 1,
      refresh: '30s',
      consentRedirectUrl: 'http://localhost:9000/done',
    };
    expect(await settingsOf(said)).toEqual({
      ...GROUP,
      ...said,
      location: 'westeurope',
      armEndpoint: 'http://127.0.0.1:4711',
      authorityHost: 'https://login.example',
      connections: ['office365', 'teams'],
      refresh: undefined,
      refreshMs: 30_000,
    });
    expect((await settingsOf({ refresh: false })).refreshMs).toBe(0);
  });

  test('the door opens for the endpoint and the sign-in service, not for where a browser goes', async () => {
    const { egress } = await parse({
      ...GROUP,
      armEndpoint: 'http://localhost:4711',
      authorityHost: 'https://login.example',
      consentRedirectUrl: 'http://localhost:8080/done',
    });
    expect(egress.allow).toEqual(['http://localhost:4711', 'https://login.example']);
  });

  test('a codespace signs in by the Azure CLI unless somebody says otherwise', async () => {
    const codespace = { CODESPACES: 'true' };
    expect((await settingsOf({}, codespace)).authentication).toBe('azcli');
    expect((await settingsOf({ authentication: 'env' }, codespace)).authentication).toBe('env');
  });

  test.each([
    ['https://management.usgovcloudapi.net', 'https://login.microsoftonline.us'],
    ['https://management.chinacloudapi.cn', 'https://login.chinacloudapi.cn'],
  ])('%s has a sign-in service of its own', async (armEndpoint, authorityHost) => {
    expect(await settingsOf({ armEndpoint })).toMatchObject({
      scope: `${armEndpoint}/.default`,
      authorityHost,
    });
    expect(await settingsOf({ armEndpoint, authorityHost: 'https://own.example' })).toMatchObject({
      authorityHost: 'https://own.example',
    });
  });

  test('any other endpoint takes tokens of the public cloud unless a scope is named', async () => {
    expect((await settingsOf({ armEndpoint: 'https://arm.example' })).scope).toBe(
      'https://management.azure.com/.default',
    );
  });

  test('a source prefix and topology can be chosen', async () => {
    const { sources } = await parse(GROUP, {}, { prefix: 'o365', topology: 'discover' });
    expect(sources['office']).toMatchObject({ prefix: 'o365', topology: 'discover' });
  });

  test.each([
    ['http beyond loopback', { armEndpoint: 'http://arm.example' }, /azure\.armEndpoint: .*https origin/],
    ['a path', { armEndpoint: 'https://arm.example/sub' }, /azure\.armEndpoint: .*https origin/],
    ['user information', { armEndpoint: 'https://a:b@arm.example' }, /azure\.armEndpoint/],
    ['sign-in over http', { authorityHost: 'http://localhost:1' }, /azure\.authorityHost: An https origin/],
    ['a consent over http', { consentRedirectUrl: 'http://a.example/' }, /azure\.consentRedirectUrl/],
    ['a path in the subscription', { subscription: 'a/../b' }, /azure\.subscription: Is no id/],
    ['a path in the group', { resourceGroup: '..' }, /azure\.resourceGroup: A resource group/],
    ['a slash in a connection', { connections: ['a/b'] }, /azure\.connections\.0|connections\[0\]/],
    ['an unknown way to sign in', { authentication: 'password' }, /azure\.authentication/],
    ['no tools at all', { maxToolsPerApi: 0 }, /azure\.maxToolsPerApi/],
    ['a misspelt key', { resourcegroup: 'x' }, /Unknown key "resourcegroup".*resourceGroup/],
  ])('refuses %s', async (_what, azure, message) => {
    expect(await refused(azure)).toMatch(message);
  });

  test('needs a subscription and a group', async () => {
    await expect(parse({ subscription: '0aa1' })).rejects.toThrow(/azure\.resourceGroup/);
  });
});
