import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConfigurationOverrides,
  configurationForPreset,
  configuredFeatures,
  parseConfiguration,
} from '../../../src/config/index.ts';
import { loadPreset, SHIPPED_PRESETS } from '../../../src/config/settings/presets.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-presets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function load(
  ceph: Record<string, unknown>,
  more: Record<string, unknown> = {},
  overrides: ConfigurationOverrides = {},
) {
  const file = { sources: { ceph: { openapi: './openapi.json', ...ceph } }, ...more };
  return parseConfiguration(file, { env: { HOME: '/home/ada' }, baseDirectory: folder, overrides });
}
const source = async (ceph: Record<string, unknown>, overrides: ConfigurationOverrides = {}) =>
  (await load(ceph, {}, overrides)).sources['ceph']!;

describe('the preset for croit', () => {
  it('brings permissions, features, limits and how to sign in', async () => {
    const ceph = await source({ preset: 'croit' });
    expect(ceph.permissions).toMatchObject({
      enabled: true,
      extension: 'x-required-permissions',
      probe: { path: '/auth/token-info', roles: '/roles', ttlMs: 300_000, timeoutMs: 5000 },
      adminRoles: ['ADMIN', 'ADMINISTRATOR'],
      adminOnlyTags: [
        'maintenance',
        'servers',
        'ipmi',
        'config',
        'hooks',
        'change-requests',
        'config-templates',
      ],
    });
    expect(ceph.features).toMatchObject({
      daos: { tags: ['daos'], enabled: false },
      specialty: { tags: ['rbd-mirror', 'qos-settings', 'ceph-keys'], enabled: true },
    });
    expect(ceph.shaping?.limits).toEqual({
      '*': 10,
      services: 25,
      servers: 25,
      osds: 30,
      stats: 50,
      logs: 100,
      audit: 50,
    });
    expect(ceph.categoryAliases).toMatchObject({ rbd: 'rbds', osd: 'osds', 'nfs-ganesha': 'services' });
    const { document, overlay } = ceph.settings as { document: string; overlay: string[] };
    expect(document).toBe('./openapi.json');
    expect(overlay.map(isAbsolute)).toEqual([true]);
  });

  it('puts the pools first among the categories, beside what the operator says of topologies', async () => {
    expect((await load({ preset: 'croit' })).surface?.options.pinned).toEqual(['ceph-pools']);
    const stated = await load({ preset: 'croit' }, { topology: { name: 'hybrid', maxCategoryTools: 5 } });
    expect(stated.topology).toBe('hybrid');
    expect(stated.surface?.options).toMatchObject({ maxCategoryTools: 5, pinned: ['ceph-pools'] });
    const named = await load({ preset: 'croit' }, { topology: 'base_only' });
    expect(named.topology).toBe('base');
    const own = await load({ preset: 'croit' }, { topology: { pinned: ['rbds'] } });
    expect(own.surface?.options.pinned).toEqual(['rbds']);
  });

  it('is overridden by what the source says itself', async () => {
    const ceph = await source({
      preset: 'croit',
      permissions: { probe: { ttl: '1m' }, adminOnlyTags: [] },
      features: { daos: { enabled: true }, own: { tags: ['audit'] } },
      openapi: { document: './other.json', overlay: './mine.yaml', includeDeprecated: false },
    });
    expect(ceph.permissions).toMatchObject({
      probe: { path: '/auth/token-info', ttlMs: 60_000 },
      adminOnlyTags: [],
    });
    expect(Object.entries(ceph.features ?? {}).map(([name, { enabled }]) => [name, enabled])).toEqual([
      ['daos', true],
      ['specialty', true],
      ['own', true],
    ]);
    expect(ceph.settings).toMatchObject({
      document: './other.json',
      overlay: [expect.stringContaining('croit-overlay.yaml'), './mine.yaml'],
      includeDeprecated: false,
    });
    expect((await source({ preset: 'croit', permissions: false })).permissions?.enabled).toBe(false);
  });

  it.each([
    ['https://ceph.test', 'https://ceph.test/api'],
    ['https://ceph.test:8080/', 'https://ceph.test:8080/api'],
    ['https://ceph.test/api', 'https://ceph.test/api'],
    ['https://proxy.test/ceph/api', 'https://proxy.test/ceph/api'],
  ])('completes the base URL %s to %s', async (given, expected) => {
    expect((await source({ preset: 'croit', baseUrl: given })).baseUrl).toBe(expected);
    expect((await source({ preset: 'croit' }, { baseUrls: [{ url: given }] })).baseUrl).toBe(expected);
  });

  it('counts on the command line for documents, too', async () => {
    const overrides = {
      topology: 'hybrid',
      maxCategoryTools: 4,
      features: { daos: true },
      permissionCheck: false,
    } as const;
    const cli = await configurationForPreset(['openapi.json'], 'croit', {
      env: { HOME: '/home/ada' },
      cwd: folder,
      overrides,
    });
    const [[name, ceph]] = Object.entries(cli.sources) as [[string, (typeof cli.sources)[string]]];
    expect(ceph.prefix).toBe('none');
    expect(ceph.permissions?.enabled).toBe(false);
    expect(cli.topology).toBe('hybrid');
    expect(cli.surface?.options).toMatchObject({ maxCategoryTools: 4, pinned: ['ceph-pools'] });
    expect(configuredFeatures(cli.sources).map((one) => [one.name, one.enabled])).toEqual([
      [`${name}.daos`, true],
      [`${name}.specialty`, true],
    ]);
    expect(ceph.settings).toMatchObject({ document: join(folder, 'openapi.json') });
  });
});

describe('a preset', () => {
  it.each(SHIPPED_PRESETS)('%s comes along and is named as its file', async (name) => {
    expect((await loadPreset(name, { env: {}, baseDirectory: folder })).name).toBe(name);
  });

  it("of the operator's own is named by its path, and may name overlays beside it", async () => {
    await writeFile(
      join(folder, 'mine.yaml'),
      'name: mine\nsource: { basePath: /v2, openapi: { overlay: fix.yaml }, category: storage }\n',
    );
    const ceph = await source({ preset: './mine.yaml', baseUrl: 'https://a.test' });
    expect(ceph).toMatchObject({
      baseUrl: 'https://a.test/v2',
      category: 'storage',
      settings: { document: './openapi.json', overlay: [join(folder, 'fix.yaml')] },
    });
    const manifest = { sources: { lever: { manifest: 'lever', preset: './mine.yaml' } } };
    const parsed = await parseConfiguration(manifest, { env: {}, baseDirectory: folder });
    expect(parsed.sources['lever']).toMatchObject({ kind: 'manifest', category: 'storage' });
  });

  it.each([
    ['a name that is none', 'crout', /There is no preset "crout".*Did you mean "?croit/s],
    ['a file that is not there', './none.yaml', /cannot be read/],
  ])('is refused: %s', async (_, preset, message) => {
    await expect(load({ preset })).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  it.each([
    ['no name', 'source: {}\n'],
    ['a key that it does not know', 'name: mine\nsources: {}\n'],
    ['what is no YAML', 'name: [\n'],
    ['what no source may say', 'name: mine\nsource: { colour: red }\n'],
    ['what no topology may say', 'name: mine\ntopology: { colour: red }\n'],
  ])('is refused with %s', async (_, text) => {
    await writeFile(join(folder, 'bad.yaml'), text);
    await expect(load({ preset: './bad.yaml' })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('changes no prototype', async () => {
    await writeFile(join(folder, 'evil.yaml'), 'name: evil\nsource: { "__proto__": { polluted: 1 } }\n');
    await source({ preset: './evil.yaml' }).catch(() => undefined);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
