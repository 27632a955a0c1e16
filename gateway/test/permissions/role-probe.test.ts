import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { type Account, type Connection, DEFAULT_LIMITS } from '../../src/operations/index.ts';
import { createSourceRoles, type RoleProbe } from '../../src/permissions/index.ts';
import { credentialHash } from '../../src/permissions/probe-request.ts';
import { type CroitDouble, type CroitTokenName, startCroitDouble } from '../doubles/croit/croit.ts';

let croit: CroitDouble;
let egress: Egress;
let probe: RoleProbe | undefined;
let now: number;

beforeEach(async () => {
  croit = await startCroitDouble();
  egress = createEgress({ allow: [new URL(croit.url).origin] });
  now = Date.UTC(2026, 10, 21);
});
afterEach(async () => {
  probe?.close();
  await egress.close();
  await croit.close();
});

const TTL = 300_000;

function connectionFor(token: string): Connection {
  return {
    name: 'ceph',
    source: 'ceph',
    baseUrl: croit.url,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    credentials: { bearer: token },
    limits: DEFAULT_LIMITS,
  };
}

/** As the gateway puts it together: an account is a token by its id; without one, the configured one. */
function probeOf(
  configured: CroitTokenName = 'viewer',
  settings: { path?: string; timeoutMs?: number } = {},
): RoleProbe {
  const { path = '/auth/token-info', timeoutMs = 5000 } = settings;
  const credentials = createCredentialProvider({ egress, env: {} });
  probe = createSourceRoles({
    egress,
    credentials,
    probe: (source) => (source === 'ceph' ? { path, roles: '/roles', ttlMs: TTL, timeoutMs } : undefined),
    connection: (_source, account) => {
      if (account?.id === 'gone') throw new Error('there is no such source');
      return connectionFor(croit.tokens[(account?.id as CroitTokenName | undefined) ?? configured]);
    },
    now: () => now,
  });
  return probe;
}

const account = (id: CroitTokenName): Account => ({ id, owner: 'user' });

describe('a probe of the roles that a service gives', () => {
  it('asks with the credential of the source, below its base URL', async () => {
    expect(await probeOf('admin').fresh('ceph')).toEqual({ status: 'known', roles: ['ADMIN', 'VIEWER'] });
    expect(croit.requests).toHaveLength(1);
    expect(croit.requests[0]).toMatchObject({
      method: 'GET',
      target: '/api/auth/token-info',
      headers: { authorization: `Bearer ${croit.tokens.admin}`, accept: 'application/json' },
    });
  });

  it.each([
    ['viewer', 'known', ['VIEWER'], undefined],
    ['roleless', 'known', ['VIEWER'], undefined],
    ['expired', 'unauthenticated', [], 'GET /auth/token-info: the service refuses the credential (401)'],
    ['broken', 'failed', [], 'GET /auth/token-info: the service answered 500'],
    ['malformed', 'failed', [], 'GET /auth/token-info: the answer is no JSON'],
  ] as const)('a %s token: %s', async (token, status, roles, reason) => {
    expect(await probeOf(token).fresh('ceph')).toEqual({
      status,
      roles,
      ...(reason === undefined ? {} : { reason }),
    });
  });

  it('gives no roles where the answer does not come in time, or from nowhere', async () => {
    const slow = await probeOf('slow', { timeoutMs: 50 }).fresh('ceph');
    expect(slow).toEqual({
      status: 'failed',
      roles: [],
      reason: 'GET /auth/token-info: no answer within 50 ms',
    });
    const elsewhere = probeOf('admin');
    await croit.close();
    expect(await elsewhere.fresh('ceph')).toEqual({
      status: 'failed',
      roles: [],
      reason: 'GET /auth/token-info: no usable answer (connect_refused)',
    });
  });

  it('gives no roles where the service leads elsewhere: a credential follows no redirect', async () => {
    croit.answerNext({ status: 302, headers: { location: `${croit.url}/auth/token-info` } });
    expect(await probeOf('admin').fresh('ceph')).toMatchObject({ status: 'failed', roles: [] });
    expect(croit.requests).toHaveLength(1);
  });

  it('gives no roles where the account is gone, and where there is no base URL', async () => {
    const gone: Account = { id: 'gone', owner: 'user' };
    expect(await probeOf().fresh('ceph', gone)).toMatchObject({ status: 'failed', roles: [] });
    expect(probeOf().known('ceph', gone)).toMatchObject({ status: 'failed', roles: [] });
    const { baseUrl: _url, ...nowhere } = connectionFor(croit.tokens.admin);
    const settings = { path: '/auth/token-info', roles: '/roles', ttlMs: TTL, timeoutMs: 5000 };
    const credentials = createCredentialProvider({ egress, env: {} });
    const parts = { egress, credentials, probe: () => settings, connection: () => nowhere };
    expect(await createSourceRoles(parts).fresh('ceph')).toMatchObject({ status: 'failed' });
    const documented = createSourceRoles({ ...parts, baseUrl: () => `${croit.url}/` });
    expect(await documented.fresh('ceph')).toMatchObject({ roles: ['ADMIN', 'VIEWER'] });
  });

  it('does not ask sources that name no probe', () => {
    const roles = probeOf();
    expect(roles.fresh('github')).toBeUndefined();
    expect(roles.known('github')).toBeUndefined();
    expect(croit.requests).toHaveLength(0);
  });
});

describe('what is known of roles', () => {
  it('counts for its time to live, then is asked for again', async () => {
    const roles = probeOf('viewer');
    await roles.fresh('ceph');
    croit.setRoles('viewer', ['ADMIN']);
    now += TTL - 1;
    expect(roles.fresh('ceph')).toMatchObject({ roles: ['VIEWER'] });
    now += 1;
    expect(await roles.fresh('ceph')).toMatchObject({ roles: ['ADMIN'] });
    expect(croit.requests).toHaveLength(2);
  });

  it('fails for half a minute at most: a service that comes back is asked again', async () => {
    const roles = probeOf('viewer');
    croit.answerNext({ status: 503 });
    expect(await roles.fresh('ceph')).toMatchObject({ status: 'failed' });
    now += 29_999;
    expect(roles.fresh('ceph')).toMatchObject({ status: 'failed' });
    now += 1;
    expect(await roles.fresh('ceph')).toMatchObject({ status: 'known' });
  });

  it('is asked for once however many wait, and goes on when one of them leaves', async () => {
    const roles = probeOf('slow');
    const leaving = new AbortController();
    const first = roles.fresh('ceph', undefined, leaving.signal) as Promise<unknown>;
    const others = [roles.fresh('ceph'), roles.fresh('ceph')];
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    croit.release();
    expect(await Promise.all(others)).toEqual([
      { status: 'known', roles: ['ADMIN'] },
      { status: 'known', roles: ['ADMIN'] },
    ]);
    expect(croit.requests).toHaveLength(1);
  });

  it('is kept for each credential: nobody gets the roles of another account', async () => {
    const roles = probeOf('viewer');
    expect(await roles.fresh('ceph', account('admin'))).toMatchObject({ roles: ['ADMIN', 'VIEWER'] });
    expect(await roles.fresh('ceph')).toMatchObject({ roles: ['VIEWER'] });
    expect(await roles.fresh('ceph', account('expired'))).toMatchObject({ roles: [] });
    expect(roles.known('ceph', account('admin'))).toMatchObject({ roles: ['ADMIN', 'VIEWER'] });
  });

  it('is another where the credential is another, whatever the account is called', () => {
    const one = credentialHash(connectionFor('a'));
    expect(credentialHash(connectionFor('a'))).toBe(one);
    expect(credentialHash(connectionFor('b'))).not.toBe(one);
    expect(credentialHash({ ...connectionFor('a'), baseUrl: 'https://other.test' })).not.toBe(one);
  });

  it('without waiting: nothing at first, the newest later; what changed is told', async () => {
    const roles = probeOf('viewer');
    const told: string[] = [];
    const news = Promise.withResolvers<void>();
    roles.onChange((source) => {
      told.push(source);
      news.resolve();
    });
    expect(roles.known('ceph')).toMatchObject({ status: 'unknown', roles: [] });
    await news.promise;
    expect(roles.known('ceph')).toMatchObject({ status: 'known', roles: ['VIEWER'] });
    expect(croit.requests).toHaveLength(1);
    now += TTL;
    await roles.fresh('ceph');
    expect(told).toEqual(['ceph']);
    croit.setRoles('viewer', ['ADMIN']);
    now += TTL;
    await roles.fresh('ceph');
    expect(told).toEqual(['ceph', 'ceph']);
  });

  it('ends when a service that had given roles answers no more', async () => {
    const roles = probeOf('admin');
    await roles.fresh('ceph');
    croit.answerNext({ status: 500 });
    now += TTL;
    expect(await roles.fresh('ceph')).toMatchObject({ status: 'failed', roles: [] });
    expect(roles.known('ceph')).toMatchObject({ roles: [] });
  });

  it('is asked for again after a call was refused, but not at every refusal', async () => {
    const roles = probeOf('viewer');
    await roles.fresh('ceph');
    roles.doubt('ceph');
    expect(roles.fresh('ceph')).toMatchObject({ roles: ['VIEWER'] });
    now += 1000;
    roles.doubt('ceph');
    croit.setRoles('viewer', ['ADMIN']);
    expect(await roles.fresh('ceph')).toMatchObject({ roles: ['ADMIN'] });
  });

  it('is nothing new once the gateway closes', async () => {
    const roles = probeOf('slow');
    const waiting = roles.fresh('ceph');
    roles.close();
    expect(await waiting).toMatchObject({ status: 'failed', roles: [] });
    now += TTL;
    expect(await roles.fresh('ceph')).toMatchObject({ roles: [] });
  });
});
