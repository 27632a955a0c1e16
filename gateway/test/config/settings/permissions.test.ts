import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { milliseconds } from '../../../src/config/measures.ts';

const context = { env: { HOME: '/home/ada' }, baseDirectory: '/work' };

async function permissionsOf(permissions: unknown, overrides = {}) {
  const sources = { ceph: { openapi: './openapi.json', permissions } };
  return (await parseConfiguration({ sources }, { ...context, overrides })).sources['ceph']?.permissions;
}

describe('permissions of a source', () => {
  it('are not asked for where nothing is said', async () => {
    expect(await permissionsOf(undefined)).toBeUndefined();
  });

  it('have defaults', async () => {
    expect(await permissionsOf({})).toEqual({
      enabled: true,
      extension: 'x-required-permissions',
      scopes: false,
      rules: [],
      adminOnlyTags: [],
      adminRoles: ['ADMIN', 'ADMINISTRATOR'],
    });
    expect(await permissionsOf({ probe: { path: '/auth/token-info' } })).toMatchObject({
      probe: { path: '/auth/token-info', roles: '/roles', ttlMs: milliseconds('5m'), timeoutMs: 5000 },
    });
  });

  it('carry everything that can be said', async () => {
    const rules = [{ tag: 'disks', method: 'DELETE', permissions: ['admin'] }];
    const probe = { path: '/me', roles: '/user/groups', ttl: '1m', timeout: 250 };
    expect(
      await permissionsOf({
        extension: 'x-needs',
        scopes: true,
        rules,
        probe,
        adminOnlyTags: ['ipmi'],
        adminRoles: ['root'],
      }),
    ).toEqual({
      enabled: true,
      extension: 'x-needs',
      scopes: true,
      rules,
      probe: { path: '/me', roles: '/user/groups', ttlMs: 60_000, timeoutMs: 250 },
      adminOnlyTags: ['ipmi'],
      adminRoles: ['ROOT'],
    });
  });

  it('are switched off in the file, or on the command line with probe and tags', async () => {
    expect(await permissionsOf(false)).toMatchObject({ enabled: false });
    const off = await permissionsOf(
      { probe: { path: '/me' }, adminOnlyTags: ['ipmi'] },
      { permissionCheck: false },
    );
    expect(off).toMatchObject({ enabled: false, adminOnlyTags: [] });
    expect(off).not.toHaveProperty('probe');
    expect(await permissionsOf(undefined, { permissionCheck: false })).toBeUndefined();
  });

  it.each([
    ['a path that leaves the base URL', { probe: { path: '/../admin' } }],
    ['the same, encoded', { probe: { path: '/a/%2e%2E/b' } }],
    ['a path with a query', { probe: { path: '/me?all=1' } }],
    ['another host', { probe: { path: 'https://evil.test/me' } }],
    ['a pointer that is none', { probe: { path: '/me', roles: 'roles' } }],
    ['a time without a unit', { probe: { path: '/me', ttl: '5' } }],
    ['a rule for nothing', { rules: [{ permissions: ['admin'] }] }],
    ['a rule without permissions', { rules: [{ tag: 'disks' }] }],
    ['an extension that is none', { extension: 'permissions' }],
    ['a key that it does not know', { probes: {} }],
    ['true', true],
  ])('refuse %s', async (_, given) => {
    await expect(permissionsOf(given)).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
