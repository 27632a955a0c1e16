import { describe, expect, test } from 'vitest';
import { type ConfigurationOverrides, configurationForAzure } from '../../../src/config/index.ts';
import { azureOf } from '../../../src/config/settings/azure.ts';

type Entry = Parameters<typeof configurationForAzure>[0];
const GROUP = { subscription: '0aa1', resourceGroup: 'rg-office' };
const made = (entry: Partial<Entry> = {}, overrides: ConfigurationOverrides = {}) =>
  configurationForAzure({ ...GROUP, ...entry }, { overrides, env: { HOME: '/home/ada' }, cwd: '/work' });

describe('the configuration of `toolcrib azure`', () => {
  test('has one source, whose tools have no prefix', async () => {
    const { name, sources, file } = await made({ authentication: 'envvar', maxToolsPerApi: 5 });
    expect(name).toBe('mcp-connections');
    expect(file).toBeUndefined();
    expect(Object.keys(sources)).toEqual(['azure']);
    expect(sources['azure']).toMatchObject({ kind: 'azure', prefix: 'none' });
    expect(azureOf(sources['azure']!)).toMatchObject({
      ...GROUP,
      authentication: 'envvar',
      maxToolsPerApi: 5,
    });
  });

  test('takes the topology for its source, which would have its own', async () => {
    const { sources } = await made({}, { topology: 'discover' });
    expect(sources['azure']?.topology).toBe('discover');
    expect((await made()).sources['azure']?.topology).toBeUndefined();
  });

  test('keeps a lock for each resource group in the state directory, whatever the case of its name', async () => {
    const one = (await made()).lock;
    expect(one.mode).toBe('warn');
    expect(one.file).toMatch(
      /^\/home\/ada\/\.local\/state\/toolcrib\/azure\/[0-9a-f]{16}\/toolcrib\.lock\.json$/,
    );
    expect((await made({ resourceGroup: 'RG-Office' })).lock.file).toBe(one.file);
    expect((await made({ resourceGroup: 'rg-sales' })).lock.file).not.toBe(one.file);
    expect((await made({ armEndpoint: 'http://127.0.0.1:1' })).lock.file).not.toBe(one.file);
    expect((await made({}, { stateDirectory: '/state' })).lock.file).toMatch(/^\/state\/azure\//);
  });

  test('listens where the command line says', async () => {
    expect((await made({}, { port: 0, host: '127.0.0.2' })).server).toMatchObject({
      port: 0,
      host: '127.0.0.2',
    });
  });

  test.each([
    [{ subscription: 'a/b' }, /^--subscription: Is no id/],
    [{ resourceGroup: 'x.' }, /^--resource-group: /],
    [{ location: 'a;b' }, /^--location: /],
    [{ tenant: '/' }, /^--tenant: /],
    [{ armEndpoint: 'http://arm.example' }, /^--arm-endpoint: An https origin/],
    [{ connections: ['a/b'] }, /^--connections: /],
  ])('says which option is wrong: %j', async (entry, message) => {
    await expect(made(entry)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message),
      next: expect.stringContaining('toolcrib azure --help'),
    });
  });

  test('says so where there is no such topology', async () => {
    await expect(made({}, { topology: 'spiral' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^--topology: There is no topology "spiral"/),
    });
  });
});
