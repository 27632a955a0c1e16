import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { checkPermissions } from '../../src/doctor/permissions.ts';

async function findings(permissions: unknown, more: object = {}, overrides = {}) {
  const file = { sources: { ceph: { openapi: './openapi.json', permissions } }, ...more };
  const configuration = await parseConfiguration(file, {
    env: { HOME: '/home/ada' },
    baseDirectory: '/work',
    overrides,
  });
  return checkPermissions(configuration).map(({ status, message }) => `${status}: ${message}`);
}

describe('what doctor says of permissions', () => {
  it.each([
    ['nothing where none are asked for', undefined, {}, {}, []],
    ['who is asked', { probe: { path: '/me' } }, {}, {}, [/^ok: Checked by GET \/me/]],
    ['the roles of a team', {}, { auth: { mode: 'team' } }, {}, [/^ok: Checked by roles/]],
    ['that nobody can hold them', {}, {}, {}, [/^warning: Nobody can hold them/]],
    ['that they are off', false, {}, {}, [/^warning: They are not checked/]],
    [
      'that the command line switched them off',
      { probe: { path: '/me' } },
      {},
      { permissionCheck: false },
      [/^warning: They are not checked/],
    ],
  ])('%s', async (_, permissions, more, overrides, expected) => {
    expect(await findings(permissions, more, overrides)).toEqual(
      expected.map((pattern) => expect.stringMatching(pattern)),
    );
  });
});
