import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ToolcribError } from '../../../../src/errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../../src/operations/index.ts';
import { createMemorySessions } from '../../../../src/principals/index.ts';
import type { Route } from '../../../../src/server/http/route.ts';
import { checkRouteAccess } from '../../../../src/server/http/route-access.ts';
import { createAttempts } from '../../../../src/server/http/sessions/attempts.ts';
import { createSessions } from '../../../../src/server/http/sessions/create-sessions.ts';
import { createSignInCodes, signInLink } from '../../../../src/server/http/sessions/sign-in-codes.ts';

const HOUR = 3_600_000;
const ANN: Principal = { id: 'ann', kind: 'user', maxAccess: 'delete', roles: [], organisation: 'acme' };

const request = (headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1:8787/api/v1/session', { headers: { host: '127.0.0.1:8787', ...headers } });

function bench(more: Partial<Parameters<typeof createSessions>[0]> = {}) {
  const clock = { now: Date.UTC(2026, 10, 22) };
  const records = createMemorySessions();
  const sessions = createSessions({
    mode: 'token',
    token: 'server-token',
    codes: { use: async (code) => code === 'good', waits: async () => false },
    records: async () => records,
    idleMs: 12 * HOUR,
    absoluteMs: 7 * 24 * HOUR,
    now: () => clock.now,
    ...more,
  });
  const signIn = async (input: Parameters<typeof sessions.open>[0]) => {
    const { session, secret } = await sessions.open(input, request());
    const cookie = { cookie: `toolcrib_session_8787=${secret}` };
    return { session, secret, find: () => sessions.find(request(cookie)) };
  };
  return { clock, sessions, signIn };
}

describe('a session whose credential does not count here', () => {
  test('is left alone where a proof may be of another gateway of the same store', async () => {
    const records = createMemorySessions();
    const gateway = (machineKey: string) =>
      bench({ records: async () => records, machineKey: async () => machineKey });
    const { signIn } = gateway('of this machine');
    const { secret, find } = await signIn({ code: 'good' });
    const there = gateway('of another').sessions;
    const cookie = request({ cookie: `toolcrib_session_8787=${secret}` });
    expect(await there.find(cookie)).toBeUndefined();
    expect(await find()).toMatchObject({ kind: 'owner' });
  });

  test('is over for good where a key or a sign-in no longer counts', async () => {
    let counts = true;
    const users = {
      refer: async () => ({ principal: ANN, reference: { kind: 'key' as const, id: 'k1' } }),
      again: async () => {
        if (counts) return ANN;
        throw new ToolcribError('unauthorized', 'The API key was revoked.');
      },
    };
    const { sessions, signIn } = bench({ mode: 'team', users });
    const { find } = await signIn({ token: 'tck_x' });
    expect(await find()).toMatchObject({ kind: 'user' });
    counts = false;
    expect(await find()).toBeUndefined();
    expect(await sessions.list()).toEqual([]);
  });
});

test('a session that decides from now on takes the place of the one before, once', async () => {
  const decides: Principal = { ...ANN, purpose: 'approve', sources: [] };
  const users = {
    refer: async (token: string) => ({
      principal: token === 'decides' ? decides : ANN,
      reference: { kind: 'key' as const, id: token },
    }),
    again: async () => ANN,
  };
  const { sessions, signIn } = bench({ mode: 'team', users });
  const { session, find } = await signIn({ token: 'calls' });
  const add = () => sessions.addApprover(session, 'decides', request());
  const [first, second] = await Promise.allSettled([add(), add()]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { session: { decides } } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
  expect(await find()).toBeUndefined();
  expect(await sessions.list()).toHaveLength(1);
});

test('that a session is used is written down once a minute', async () => {
  const records = createMemorySessions();
  const used: number[] = [];
  const noting: typeof records = {
    ...records,
    use: (id, at) => {
      used.push(at);
      return records.use(id, at);
    },
  };
  const { clock, signIn } = bench({ records: async () => noting });
  const { find } = await signIn({ code: 'good' });
  const began = clock.now;
  for (const after of [59_999, 60_000, 60_001, 119_999]) {
    clock.now = began + after;
    await find();
  }
  expect(used).toEqual([began + 60_000]);
});

describe('a cookie that is bound to no host', () => {
  const PUBLIC = 'https://tools.example';

  test.each<[string, string, string, string | undefined, boolean]>([
    ['at the public address, behind a proxy that ends TLS', 'http', 'tools.example', PUBLIC, false],
    ['there, in other letters', 'http', 'Tools.example', PUBLIC, false],
    ['over TLS of the gateway', 'https', 'tools.example', undefined, false],
    ["at the machine's own address", 'http', '127.0.0.1:8787', PUBLIC, true],
    ['where nobody says what the address is', 'http', 'tools.example', undefined, true],
    ['at a public address in the clear', 'http', 'tools.example', 'http://tools.example', true],
  ])('%s', async (_where, scheme, host, publicUrl, plain) => {
    const { sessions } = bench(publicUrl === undefined ? {} : { publicUrl });
    const { secret } = await sessions.open({ token: 'server-token' }, request());
    const name = host.includes(':') ? 'toolcrib_session_8787' : 'toolcrib_session';
    const counts = async (cookie: string) => {
      const asked = new Request(`${scheme}://${host}/api/v1/session`, { headers: { host, cookie } });
      return (await sessions.find(asked)) !== undefined;
    };
    expect(await counts(`${name}=${secret}`)).toBe(plain);
    expect(await counts(`__Host-${name}=${secret}`)).toBe(true);
  });

  test('is not given where it would not count', async () => {
    const { sessions } = bench({ publicUrl: PUBLIC });
    const from = (origin: string) =>
      sessions.open({ token: 'server-token' }, request({ host: new URL(origin).host, origin }));
    await expect(from('http://tools.example')).rejects.toMatchObject({
      code: 'host_refused',
      next: `Open ${PUBLIC}.`,
    });
    for (const origin of [PUBLIC, 'http://127.0.0.1:8787']) {
      expect((await from(origin)).session.kind).toBe('token');
    }
  });
});

describe('a session ends', () => {
  test('when nobody used it for twelve hours', async () => {
    const { clock, signIn } = bench();
    const { session, find } = await signIn({ code: 'good' });
    for (let used = 0; used < 4; used++) {
      clock.now += 11 * HOUR;
      expect((await find())?.id).toBe(session.id);
    }
    clock.now += 12 * HOUR;
    expect(await find()).toBeUndefined();
    await expect(session.still()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('after seven days, however much it is used', async () => {
    const { clock, signIn } = bench();
    const { session, find } = await signIn({ code: 'good' });
    expect(session.expiresAt - clock.now).toBe(7 * 24 * HOUR);
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      clock.now += 6 * HOUR;
      expect(await find()).toBeDefined();
    }
    clock.now += 6 * HOUR;
    expect(await find()).toBeUndefined();
  });

  test('with the sign-in token that it was opened with', async () => {
    const reference = { kind: 'sign-in', issuer: 'i', subject: 'ann', roles: [], expiresAt: 0 } as const;
    const { clock, signIn } = bench({
      users: {
        refer: async () => ({ principal: { ...ANN, expiresAt: clock.now + HOUR }, reference }),
        again: async () => ANN,
      },
    });
    const { session } = await signIn({ token: 'a.jwt.token' });
    expect(session.expiresAt).toBe(clock.now + HOUR);
  });
});

test('a fault of the store is no end: nothing is removed, and the request fails', async () => {
  let broken = false;
  const fault = new ToolcribError('store_unavailable', 'The store is gone.');
  const { signIn } = bench({
    users: {
      refer: async () => ({ principal: ANN, reference: { kind: 'key', id: 'key_1' } }),
      again: async () => {
        if (broken) throw fault;
        return ANN;
      },
    },
  });
  const { find } = await signIn({ token: 'key' });
  broken = true;
  await expect(find()).rejects.toBe(fault);
  broken = false;
  expect((await find())?.principal).toBe(ANN);
});

test('sign-ins that fail are let through again one by one', () => {
  const clock = { now: 0 };
  const attempts = createAttempts(() => clock.now);
  for (let failed = 0; failed < 10; failed++) {
    attempts.check();
    attempts.failed();
  }
  expect(() => attempts.check()).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  clock.now += 5_999;
  expect(() => attempts.check()).toThrow(expect.objectContaining({ next: expect.stringContaining('1 s') }));
  clock.now += 1;
  attempts.check();
  attempts.failed();
  expect(() => attempts.check()).toThrow();
  clock.now += 10 * HOUR;
  for (let failed = 0; failed < 10; failed++) {
    attempts.check();
    attempts.failed();
  }
  expect(() => attempts.check()).toThrow();
});

test('a credential that could not be looked at is no sign-in that failed', async () => {
  const refer = async () => {
    throw new ToolcribError('store_unavailable', 'The store is gone.');
  };
  const { sessions } = bench({ users: { refer, again: async () => ANN } });
  for (let tried = 0; tried < 11; tried++) {
    const trying = sessions.open({ token: 'tck_x' }, request());
    await expect(trying).rejects.toMatchObject({ code: 'store_unavailable' });
  }
});

describe('routes for the owner', () => {
  const owned = { audience: 'owner', access: 'write', tag: 'sources', operationId: 'addSource' } as Route;
  const session = (kind: 'owner' | 'token' | 'user' | 'approver') => ({ kind }) as never;

  test('take a session of the owner and nothing else', () => {
    const asked = (more: object) => () =>
      checkRouteAccess(owned, { principal: LOCAL_PRINCIPAL, depth: 0, ...more });
    expect(asked({ session: session('owner') })).not.toThrow();
    const refused = expect.objectContaining({ code: 'owner_needed' });
    expect(asked({})).toThrow(refused);
    expect(asked({ session: session('token') })).toThrow(refused);
    expect(asked({ session: session('user'), principal: ANN })).toThrow(refused);
    expect(asked({ session: session('approver') })).toThrow(refused);
    // a tool of the own API comes without a session, whoever calls it
    expect(asked({ depth: 1 })).toThrow(refused);
  });
});

describe('codes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-codes-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('end after five minutes, and leave nothing behind', async () => {
    const clock = { now: 1_000 };
    const codes = createSignInCodes(folder, () => clock.now);
    const [early, late] = [await codes.create(), await codes.create()];
    clock.now += 5 * 60_000 - 1;
    expect(await codes.use(early)).toBe(true);
    clock.now += 1;
    expect(await codes.use(late)).toBe(false);
    expect(await codes.use(late)).toBe(false);
  });

  test('that nobody used go when the next one is made, and no others', async () => {
    const [state, clock] = [join(folder, 'unused'), { now: 1_000 }];
    const codes = createSignInCodes(state, () => clock.now);
    await codes.create();
    clock.now += 1_000;
    const kept = await codes.create();
    // one that another process is writing
    await writeFile(join(state, 'sign-in-codes', 'begun'), '');
    clock.now += 5 * 60_000 - 1_000;
    await codes.create();
    expect(await readdir(join(state, 'sign-in-codes'))).toHaveLength(3);
    expect(await codes.use(kept)).toBe(true);
  });

  test('a state directory that is a file is said, not taken for a wrong code', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const codes = createSignInCodes(file);
    await expect(codes.create()).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(codes.use('A'.repeat(43))).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('stand in links behind the #, which no server is sent', async () => {
    const link = new URL(signInLink('http://127.0.0.1:8787', await createSignInCodes(folder).create()));
    expect(`${link.origin}${link.pathname}${link.search}`).toBe('http://127.0.0.1:8787/sign-in');
    const [, code = ''] = /^#code=([A-Za-z0-9_-]{43})$/.exec(link.hash) ?? [];
    expect(await createSignInCodes(folder).use(code)).toBe(true);
  });
});
