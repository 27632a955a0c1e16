import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import { localGrants } from '../../src/policy/local-grants.ts';
import type { SourceAccess } from '../../src/policy/source-access.ts';

const PETS: SourceAccess = { category: 'pets', connections: 'shared', whenUnauthenticated: 'hide' };
const grant = (changes: Partial<SourceAccess>) =>
  localGrants(LOCAL_PRINCIPAL, { pets: { ...PETS, ...changes } }).source('pets');

it.each<[string, Partial<SourceAccess>, object]>([
  ['a shared account is connected', {}, { level: 'read-write', connection: 'connected' }],
  ['but where it is said not to be', { connection: 'disabled' }, { level: 'none', connection: 'disabled' }],
  [
    'accounts of others are none of the process',
    { connections: 'records' },
    { level: 'none', connection: 'missing' },
  ],
  [
    'but where the configuration has one too',
    { connections: 'records', connection: 'connected' },
    { level: 'read-write', connection: 'connected' },
  ],
])('%s', (_, changes, expected) => {
  expect(grant(changes)).toMatchObject(expected);
});

it('says of a source what the configuration says, and gives the owner no role', () => {
  const skills = { enabled: true, roles: ['teacher'] };
  const gated = grant({ connection: 'unauthenticated', skills });
  expect(gated).toMatchObject({ whenUnauthenticated: 'hide', skills });
  expect(grant({ whenUnauthenticated: 'list' })).toMatchObject({ whenUnauthenticated: 'list' });
  const { roles, permissions, features } = localGrants(LOCAL_PRINCIPAL, { pets: PETS });
  expect({ roles, permissions, features }).toEqual({ roles: [], permissions: [], features: [] });
});

it('a source that is not listed grants nothing', () => {
  expect(localGrants(LOCAL_PRINCIPAL, { pets: PETS }).source('others')).toBeUndefined();
});

it('whoever may do something else has another stamp: lists are kept by it', () => {
  const stamps = [
    localGrants(LOCAL_PRINCIPAL, { pets: PETS }),
    localGrants({ ...LOCAL_PRINCIPAL, sources: ['pets'] }, { pets: PETS }),
    localGrants({ ...LOCAL_PRINCIPAL, sources: ['others'] }, { pets: PETS }),
    localGrants({ ...LOCAL_PRINCIPAL, maxAccess: 'read' }, { pets: PETS }),
    localGrants({ ...LOCAL_PRINCIPAL, roles: ['ops'] }, { pets: PETS }),
    localGrants(LOCAL_PRINCIPAL, { pets: { ...PETS, connection: 'disabled' } }),
    localGrants(LOCAL_PRINCIPAL, { pets: PETS }, 'static'),
  ].map(({ stamp }) => stamp);
  expect(new Set(stamps).size).toBe(stamps.length);
});
