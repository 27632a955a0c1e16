import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionOf } from '../../src/assembly/connections.ts';
import { parseConfiguration } from '../../src/config/index.ts';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { createSourceRoles } from '../../src/permissions/index.ts';
import { type CroitDouble, type CroitTokenName, startCroitDouble } from '../doubles/croit/croit.ts';
import { describeText, openapi } from '../sources/openapi/describing.ts';

let croit: CroitDouble;
let egress: Egress;
afterEach(async () => {
  await egress.close();
  await croit.close();
});

/** The roles that a source with the preset learns, with its host and its token given and nothing else. */
async function rolesOf(token: CroitTokenName) {
  croit = await startCroitDouble();
  const env = { HOME: '/home/ada', CEPH_TOKEN: croit.tokens[token] };
  const ceph = {
    openapi: './openapi.json',
    preset: 'croit',
    baseUrl: new URL(croit.url).origin,
    credentials: { bearer: { env: 'CEPH_TOKEN' } },
  };
  const configuration = await parseConfiguration({ sources: { ceph } }, { env, baseDirectory: '/work' });
  const source = configuration.sources['ceph']!;
  const [overlay] = (source.settings as { readonly overlay: readonly string[] }).overlay;
  const { securitySchemes = {} } = await describeText(
    openapi({ '/auth/login': { post: {} }, '/status': { get: {} } }),
    { overlay: ['overlay.yaml'] },
    { 'overlay.yaml': readFileSync(overlay!, 'utf8') },
  );
  egress = createEgress({ allow: configuration.egress.allow });
  const connection = connectionOf('ceph', source, securitySchemes);
  const roles = createSourceRoles({
    egress,
    credentials: createCredentialProvider({ egress, env }),
    probe: () => source.permissions?.probe,
    connection: () => connection,
  });
  return roles.fresh('ceph');
}

describe('the preset for croit', () => {
  it.each([
    ['admin', { status: 'known', roles: ['ADMIN', 'VIEWER'] }],
    ['viewer', { status: 'known', roles: ['VIEWER'] }],
    ['expired', { status: 'unauthenticated', roles: [] }],
    ['broken', { status: 'failed', roles: [] }],
  ] as const)('learns the roles of %s from a host and a token', async (token, expected) => {
    expect(await rolesOf(token)).toMatchObject(expected);
    expect(croit.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'GET /api/auth/token-info',
    ]);
  });
});
