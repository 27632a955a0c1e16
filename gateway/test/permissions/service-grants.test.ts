import { describe, expect, it } from 'vitest';
import {
  type Account,
  type GrantSource,
  type Grants,
  LOCAL_PRINCIPAL,
  type OperationFacts,
  type SourceGrant,
} from '../../src/operations/index.ts';
import { type ProbedRoles, type RoleProbe, withServiceRoles } from '../../src/permissions/index.ts';
import { explain, isVisible } from '../../src/policy/explain.ts';
import { localGrants } from '../../src/policy/local-grants.ts';
import type { SourceAccess } from '../../src/policy/source-access.ts';

const access = (connection: SourceAccess['connection'] = 'connected'): SourceAccess => ({
  category: 'api',
  connections: 'shared',
  connection,
  whenUnauthenticated: 'hide',
});

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Grants of the owner of the process, with services that say what a test says. */
function grantsWith(
  says: Record<string, ProbedRoles>,
  connection?: SourceAccess['connection'],
  own?: SourceGrant,
) {
  const sources = { ceph: access(connection), github: access(), slow: access() };
  const owners: Grants = localGrants(LOCAL_PRINCIPAL, sources);
  const base: Grants =
    own === undefined
      ? owners
      : { ...owners, source: (name) => (name === 'ceph' ? own : owners.source(name)) };
  const listeners = new Set<() => void>();
  const roleListeners = new Set<(source: string) => void>();
  const asked: string[] = [];
  const source: GrantSource = {
    fresh: () => base,
    known: () => base,
    onChange: (listener) => subscribed(listeners, listener),
  };
  const said = (name: string, account: Account | undefined) =>
    says[account === undefined ? name : `${name} ${account.id}`];
  const probe: RoleProbe = {
    known: (name, account) => said(name, account),
    fresh: (name, account) => {
      asked.push(account === undefined ? name : `${name} ${account.id}`);
      const roles = said(name, account);
      return roles === undefined ? undefined : Promise.resolve(roles);
    },
    doubt: () => undefined,
    onChange: (listener) => subscribed(roleListeners, listener),
    close: () => undefined,
  };
  const configured: Record<string, { adminRoles: string[] }> = {
    ceph: { adminRoles: ['ADMIN'] },
    slow: { adminRoles: ['ADMIN'] },
  };
  const grants = withServiceRoles(source, { probe, sources: () => configured });
  return { grants, base, asked, configured, listeners, roleListeners };
}

const known = (...roles: string[]): ProbedRoles => ({ status: 'known', roles });
const facts = (permissions: readonly string[], source = 'ceph') =>
  ({
    id: 'op',
    source,
    access: 'read',
    tags: [],
    requirements: { permissions },
  }) as unknown as OperationFacts;

describe('grants with the roles that services give', () => {
  it.each([
    ['a viewer looks', known('VIEWER'), ['viewer'], true],
    ['a viewer is no admin', known('VIEWER'), ['admin'], false],
    ['an admin may everything', known('ADMIN'), ['viewer'], true],
    ['another role holds its own name', known('OPS'), ['ops'], true],
    [
      'who has no roles may nothing',
      { status: 'failed', roles: [], reason: 'down' } as const,
      ['viewer'],
      false,
    ],
    ['what needs no permission is not asked about', { status: 'unknown', roles: [] } as const, [], true],
  ])('%s', async (_, said, needed, visible) => {
    const { grants } = grantsWith({ ceph: said });
    expect(isVisible(facts(needed), await grants.fresh(LOCAL_PRINCIPAL))).toBe(visible);
    expect(isVisible(facts(needed), grants.known(LOCAL_PRINCIPAL))).toBe(visible);
  });

  it('carry the reason why there are none, and its own admin roles', () => {
    const { grants } = grantsWith({
      ceph: { status: 'failed', roles: [], reason: 'GET /me: the service answered 500' },
    });
    const grant = grants.known(LOCAL_PRINCIPAL).source('ceph') as SourceGrant;
    expect(grant).toMatchObject({
      roles: [],
      adminRoles: ['ADMIN'],
      reasons: { admin: 'the owner of the process', roles: 'GET /me: the service answered 500' },
    });
    expect(explain(facts(['viewer']), grants.known(LOCAL_PRINCIPAL), {}).visible).toBe(false);
  });

  it('are the same object while the roles are the same, another with another stamp when they change', () => {
    const says = { ceph: known('VIEWER') };
    const { grants, base } = grantsWith(says);
    const first = grants.known(LOCAL_PRINCIPAL);
    expect(grants.known(LOCAL_PRINCIPAL)).toBe(first);
    expect(first.stamp).not.toBe(base.stamp);
    says.ceph = known('ADMIN');
    const second = grants.known(LOCAL_PRINCIPAL);
    expect(second).not.toBe(first);
    expect(second.stamp).not.toBe(first.stamp);
    expect(first.source('ceph')?.roles).toEqual(['VIEWER']);
  });

  it('leave sources alone that are not asked', () => {
    const { grants, base } = grantsWith({ ceph: known('VIEWER') });
    expect(grants.known(LOCAL_PRINCIPAL).source('github')).toBe(base.source('github'));
    expect(grantsWith({}).grants.known(LOCAL_PRINCIPAL).stamp).toBe(base.stamp);
  });

  it('ask nobody about an account that is not connected', async () => {
    const { grants, asked } = grantsWith({ ceph: known('ADMIN') }, 'unauthenticated');
    const fresh = await grants.fresh(LOCAL_PRINCIPAL);
    expect(fresh.source('ceph')?.roles).toEqual([]);
    expect(asked).not.toContain('ceph');
  });

  it('wait for one service only where a call concerns one', async () => {
    const { grants, asked } = grantsWith({ ceph: known('ADMIN'), slow: known('ADMIN') });
    await grants.fresh(LOCAL_PRINCIPAL, 'ceph');
    expect(asked).toEqual(['ceph']);
    await grants.fresh(LOCAL_PRINCIPAL);
    expect(asked).toEqual(['ceph', 'ceph', 'slow']);
  });

  it('ask nobody about an account that nothing may be done with', async () => {
    const own = {
      ...localGrants(LOCAL_PRINCIPAL, { ceph: access() }).source('ceph')!,
      level: 'disabled' as const,
    };
    const { grants, asked } = grantsWith({ ceph: known('ADMIN') }, 'connected', own);
    expect((await grants.fresh(LOCAL_PRINCIPAL)).source('ceph')?.roles).toEqual([]);
    expect(asked).not.toContain('ceph');
  });

  it('ask about the account that the calls are made with', async () => {
    const account = { id: 'ann', owner: 'user' } as const;
    const own = { ...localGrants(LOCAL_PRINCIPAL, { ceph: access() }).source('ceph')!, account };
    const says = { ceph: known('ADMIN'), 'ceph ann': known('VIEWER') };
    const { grants, asked } = grantsWith(says, 'connected', own);
    expect(grants.known(LOCAL_PRINCIPAL).source('ceph')?.roles).toEqual(['VIEWER']);
    expect((await grants.fresh(LOCAL_PRINCIPAL, 'ceph')).source('ceph')?.roles).toEqual(['VIEWER']);
    expect(asked).toEqual(['ceph ann']);
  });

  it('wait for what the service says now', async () => {
    const says: Record<string, ProbedRoles> = { ceph: known('VIEWER') };
    const { grants } = grantsWith(says);
    const fresh = grants.fresh(LOCAL_PRINCIPAL, 'ceph');
    says['ceph'] = known('ADMIN');
    expect((await fresh).source('ceph')?.roles).toEqual(['ADMIN']);
  });

  it('follow the configuration: which sources are asked, and which roles hold everything', () => {
    const { grants, configured } = grantsWith({ ceph: known('OPS'), slow: known('OPS') });
    const first = grants.known(LOCAL_PRINCIPAL);
    configured['ceph'] = { adminRoles: ['OPS'] };
    const second = grants.known(LOCAL_PRINCIPAL);
    expect(second.source('ceph')?.adminRoles).toEqual(['OPS']);
    expect(second.stamp).not.toBe(first.stamp);
    delete configured['slow'];
    const one = grants.known(LOCAL_PRINCIPAL);
    delete configured['ceph'];
    configured['slow'] = { adminRoles: ['OPS'] };
    const other = grants.known(LOCAL_PRINCIPAL);
    expect([one.source('ceph')?.roles, other.source('ceph')?.roles]).toEqual([['OPS'], undefined]);
    expect(other.stamp).not.toBe(one.stamp);
  });

  it('tell of both kinds of change', () => {
    const { grants, listeners, roleListeners } = grantsWith({ ceph: known('VIEWER') });
    let told = 0;
    const stop = grants.onChange(() => told++);
    for (const listener of listeners) listener();
    for (const listener of roleListeners) listener('ceph');
    expect(told).toBe(2);
    stop();
    expect([listeners.size, roleListeners.size]).toEqual([0, 0]);
  });
});
