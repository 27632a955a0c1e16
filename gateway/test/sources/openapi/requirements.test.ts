import { describe, expect, it } from 'vitest';
import type { PermissionSettings } from '../../../src/sources/openapi/options.ts';
import { describeText, openapi } from './describing.ts';

const schemes = {
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} } },
      },
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
    },
  },
};

async function required(
  operation: object,
  permissions: PermissionSettings | undefined,
  more: object = schemes,
) {
  const { operations, diagnostics } = await describeText(
    openapi({ '/a': { get: { operationId: 'a', ...operation } } }, more),
    permissions === undefined ? {} : { permissions },
  );
  return { requirements: operations[0]!.requirements, diagnostics };
}

describe('permissions that a document asks for', () => {
  it.each([
    [['admin'], ['admin']],
    [
      ['admin', 'viewer', 'admin', ' '],
      ['admin', 'viewer'],
    ],
    ['admin', ['admin']],
    ['pools:read, pools:write', ['pools:read', 'pools:write']],
    [[], undefined],
    [null, undefined],
  ])('x-required-permissions: %j', async (named, permissions) => {
    const { requirements, diagnostics } = await required(
      { 'x-required-permissions': named },
      { enabled: true },
    );
    expect(requirements?.permissions).toEqual(permissions);
    expect(diagnostics).toEqual([]);
  });

  it('may stand in another extension', async () => {
    const { requirements } = await required({ 'x-roles': ['ops'] }, { enabled: true, extension: 'x-roles' });
    expect(requirements).toEqual({ permissions: ['ops'] });
  });

  it('an extension that no operation has asks for nothing, and is named', async () => {
    const { diagnostics } = await required({ 'x-roles': ['ops'] }, { enabled: true, extension: 'x-role' });
    expect(diagnostics).toMatchObject([
      {
        code: 'permissions-unnamed',
        severity: 'warning',
        message:
          'No operation names permissions by x-role: none are asked for beyond those of `rules`. Did you mean "x-roles"?',
      },
    ]);
    const { diagnostics: byDefault } = await required({}, { enabled: true });
    expect(byDefault).toMatchObject([{ code: 'permissions-unnamed', severity: 'info' }]);
  });

  it.each([{ admin: true }, [1], 7])('%j, which cannot be read, lets nobody through', async (named) => {
    const { requirements, diagnostics } = await required(
      { 'x-required-permissions': named },
      { enabled: true },
    );
    expect(requirements).toEqual({ permissions: ['(unreadable)'] });
    expect(diagnostics).toMatchObject([
      { code: 'permissions-unreadable', pointer: '#/paths/~1a/get/x-required-permissions' },
    ]);
  });
});

describe('OAuth scopes', () => {
  const scopes = { enabled: true, scopes: true };
  it.each([
    ['of the operation', [{ oauth: ['pools.read', 'pools.list'] }], ['scope:pools.read', 'scope:pools.list']],
    ['of the first of several ways', [{ oauth: ['read'] }, { oauth: ['write'] }], ['scope:read']],
    ['none where one way needs none', [{ oauth: ['read'] }, { key: [] }], undefined],
    ['none where a key comes along, but for the scope', [{ oauth: ['read'], key: [] }], ['scope:read']],
    ['none where nothing is sent', [], undefined],
  ])('%s', async (_, security, permissions) => {
    const { requirements } = await required({ security }, scopes);
    expect(requirements?.permissions).toEqual(permissions);
  });

  it('are no permissions unless the configuration says so', async () => {
    const { requirements } = await required({ security: [{ oauth: ['read'] }] }, { enabled: true });
    expect(requirements).toBeUndefined();
  });
});

describe('permissions that nobody checks', () => {
  const document = openapi({
    '/a': {
      get: { 'x-required-permissions': ['admin'] },
      put: { 'x-required-permissions': ['admin'] },
      post: {},
    },
  });

  it.each<[string, PermissionSettings | undefined, RegExp]>([
    ['not configured', undefined, /2 operations name permissions .*`permissions: \{\}`/],
    ['switched off', { enabled: false }, /2 operations name permissions .*switched off/],
  ])('%s: one note says how many and what to do', async (_, permissions, message) => {
    const { operations, diagnostics } = await describeText(
      document,
      permissions === undefined ? {} : { permissions },
    );
    expect(operations.every(({ requirements }) => requirements === undefined)).toBe(true);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'permissions-unchecked', severity: 'info' });
    expect(diagnostics[0]!.message).toMatch(message);
  });
});
