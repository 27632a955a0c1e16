import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectorSnapshot } from '../../src/sources/azure/snapshot.ts';
import { manualClock } from './support/manual-clock.ts';
import { type Bench, type BenchOptions, never, openBench, TOKEN, tokensOf } from './support/open-room.ts';
import { APIS, armError, CONNECTIONS, resourceOf, swagger } from './support/small-arm.ts';

const MARK = ' ⚠️ Connection not authenticated';
const benches: Bench[] = [];

afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function bench(options: BenchOptions = {}): Promise<Bench> {
  const opened = await openBench(options);
  benches.push(opened);
  return opened;
}

/** Mail, signed in, and chat, not signed in. */
async function furnished(options: BenchOptions = {}): Promise<Bench> {
  const opened = await bench(options);
  const { connections, apis } = opened.arm;
  connections.set('mail', { name: 'mail', api: 'mail' });
  connections.set('chat', { name: 'chat', api: 'chat', status: 'Error', displayName: 'Our chat' });
  apis.set('mail', swagger('mail', 'Read', 'Send'));
  apis.set('chat', swagger('chat', 'Post'));
  return opened;
}

async function snapshotOf(location: string | undefined): Promise<ConnectorSnapshot> {
  return JSON.parse(await readFile(location!, 'utf8')) as ConnectorSnapshot;
}

describe('the first start', () => {
  it('has all connections and documents in its snapshot', async () => {
    const { room, directory, arm } = await furnished();
    const location = await room.prepare(never);
    expect(location).toBe(join(directory, 'snapshot.json'));
    const snapshot = await snapshotOf(location);
    expect(snapshot.connections).toEqual([
      { name: 'chat', api: 'chat', displayName: 'Our chat' },
      { name: 'mail', api: 'mail', displayName: 'The mail service' },
    ]);
    expect(snapshot.problems).toEqual([]);
    const file = join(directory, snapshot.documents['mail']!);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(swagger('mail', 'Read', 'Send'));
    expect(room.marks()).toEqual({ chat: MARK });
    expect(arm.asked('EXPORT mail')).toBe(1);
  });

  it('leaves files for their owner alone, without the token', async () => {
    const { room, directory } = await furnished();
    await room.prepare(never);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(directory)) {
      expect(name).toMatch(/^(snapshot|[0-9a-f]{64})\.json$/);
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
      const text = await readFile(join(directory, name), 'utf8');
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain('kept-by-azure');
    }
  });

  it('fetches a document once for two connections of one API', async () => {
    const { room, arm } = await furnished();
    arm.connections.set('second', { name: 'second', api: 'mail' });
    await room.prepare(never);
    expect(arm.asked('EXPORT mail')).toBe(1);
    expect(room.connections().map(({ name }) => name)).toEqual(['chat', 'mail', 'second']);
  });

  it('waits no longer than its patience, and has the rest compiled when it comes', async () => {
    const clock = manualClock();
    const slow = await furnished({ clock, patienceMs: 1_000 });
    const released = Promise.withResolvers<void>();
    slow.arm.instead = ({ path, query }) =>
      path.endsWith('/chat') && query.some(([key]) => key === 'export')
        ? released.promise.then(() => ({ status: 200, body: swagger('chat', 'Post') }))
        : undefined;
    const prepared = slow.room.prepare(never);
    await expect.poll(() => slow.arm.asked('EXPORT mail')).toBe(1);
    await expect.poll(() => readdir(slow.directory).catch(() => [])).toHaveLength(1);
    clock.advance(1_000);
    const location = await prepared;
    expect(Object.keys((await snapshotOf(location)).documents)).toEqual(['mail']);
    expect(slow.refreshes).toBe(0);
    released.resolve();
    await expect.poll(() => readdir(slow.directory)).toHaveLength(3);
    clock.advance(50);
    await expect.poll(() => slow.refreshes).toBe(1);
    expect(Object.keys((await snapshotOf(location)).documents)).toEqual(['chat', 'mail']);
  });

  it('compiles documents that arrive together once', async () => {
    const clock = manualClock();
    const { arm, room, ...rest } = await furnished({ clock, patienceMs: 0 });
    const opened = benches.at(-1)!;
    const released = Promise.withResolvers<void>();
    arm.instead = async ({ query }) => {
      if (query.some(([key]) => key === 'export')) await released.promise;
      return undefined;
    };
    const prepared = room.prepare(never);
    await expect.poll(() => arm.asked('GET connections')).toBe(1);
    clock.advance(0);
    await prepared;
    released.resolve();
    await expect.poll(async () => (await readdir(rest.directory)).length).toBe(3);
    clock.advance(50);
    await expect.poll(() => opened.refreshes).toBe(1);
  });

  it('has no more than four documents under way at once', async () => {
    const { room, arm } = await bench();
    let busy = 0;
    let most = 0;
    for (let n = 0; n < 10; n++) {
      arm.connections.set(`c${n}`, { name: `c${n}`, api: `api${n}` });
      arm.apis.set(`api${n}`, swagger(`api${n}`, 'Do'));
    }
    const released = Promise.withResolvers<void>();
    arm.instead = async ({ query }) => {
      if (!query.some(([key]) => key === 'export')) return undefined;
      most = Math.max(most, ++busy);
      await released.promise;
      busy--;
      return undefined;
    };
    const prepared = room.prepare(never);
    await expect.poll(() => most).toBeGreaterThanOrEqual(4);
    // whatever else was sent with them has arrived before this
    await room.getConnection('c0', never);
    released.resolve();
    const snapshot = await snapshotOf(await prepared);
    expect(Object.keys(snapshot.documents)).toHaveLength(10);
    expect(most).toBe(4);
  });
});

describe('an API that cannot be read', () => {
  it('costs its own tools only, and says why', async () => {
    const { room, arm } = await furnished();
    arm.connections.set('bad', { name: 'bad', api: 'bad' });
    arm.apis.set('bad', { status: 200, body: '<html>no</html>' });
    const snapshot = await snapshotOf(await room.prepare(never));
    expect(Object.keys(snapshot.documents)).toEqual(['chat', 'mail']);
    expect(snapshot.problems).toEqual([
      { api: 'bad', message: expect.stringMatching(/^schema fetch failed — the schema is no JSON/) },
    ]);
  });

  it('keeps its last good document', async () => {
    const first = await furnished();
    const before = await snapshotOf(await first.room.prepare(never));
    first.arm.apis.set('mail', armError(403, 'AuthorizationFailed', 'No right to read it.'));
    expect(await first.room.reload(never)).toEqual([
      expect.stringMatching(/^mail: schema fetch failed — .*403 AuthorizationFailed.*No right to read it/),
    ]);
    const after = await snapshotOf(await first.room.prepare(never));
    expect(after.documents).toEqual(before.documents);
  });

  it('is asked for again, with growing waits, until it answers', async () => {
    const clock = manualClock();
    const { room, arm } = await furnished({ clock });
    arm.apis.set('chat', armError(404, 'ApiNotFound', 'Gone.'));
    await room.prepare(never);
    await expect.poll(() => clock.waits.includes(1_000)).toBe(true);
    clock.advance(1_000);
    await expect.poll(() => clock.waits.includes(2_000)).toBe(true);
    arm.apis.set('chat', swagger('chat', 'Post'));
    clock.advance(2_000);
    await expect.poll(() => room.helper('chat', 'Post')).toMatchObject({ id: 'chat.Post' });
    expect(arm.asked('EXPORT mail')).toBe(1);
  });
});

describe('an API that fails each time in other words', () => {
  it('has nothing compiled again', async () => {
    const clock = manualClock();
    const { room, arm } = await furnished({ clock });
    arm.instead = ({ path }) =>
      path.endsWith('/chat') ? armError(404, 'ApiNotFound', `Try ${arm.asked('EXPORT chat')}.`) : undefined;
    const location = await room.prepare(never);
    clock.advance(50);
    await expect.poll(() => clock.waits).toEqual([950]);
    clock.advance(950);
    await expect.poll(() => clock.waits).toContain(2_000);
    await room.reload(never);
    expect(arm.asked('EXPORT chat')).toBe(3);
    expect((await snapshotOf(location)).problems).toEqual([
      { api: 'chat', message: expect.stringContaining('Try 0 ') },
    ]);
    expect(benches.at(-1)!.refreshes).toBe(0);
  });
});

describe('the next start', () => {
  it('serves what lies there at once, without a network', async () => {
    const first = await furnished();
    await first.room.prepare(never);
    await first.room.close();
    first.arm.instead = () => new Promise(() => {});
    const next = first.again({ patienceMs: 60_000 });
    const snapshot = await snapshotOf(await next.room.prepare(never));
    expect(snapshot.connections.map(({ name }) => name)).toEqual(['chat', 'mail']);
    expect(next.room.status('mail')).toBe('Unknown');
    expect(next.room.marks()).toEqual({});
    expect(await next.room.helper('mail', 'Read')).toMatchObject({ id: 'mail.Read', source: 'office' });
  });

  it('looks behind it: what changed meanwhile is compiled, what did not is not', async () => {
    const first = await furnished();
    const before = await snapshotOf(await first.room.prepare(never));
    await first.room.close();
    first.arm.connections.set('chat', { name: 'chat', api: 'chat' });
    first.arm.apis.set('mail', swagger('mail', 'Read', 'Send', 'Move'));
    const next = first.again();
    const location = await next.room.prepare(never);
    expect((await snapshotOf(location)).documents).toEqual(before.documents);
    await expect.poll(() => next.refreshes).toBeGreaterThan(0);
    await expect
      .poll(async () => (await snapshotOf(location)).documents['mail'])
      .not.toBe(before.documents['mail']);
    const third = first.again();
    await third.room.prepare(never);
    await expect.poll(() => third.room.status('mail')).toBe('Connected');
    await third.room.reload(never);
    expect(third.refreshes).toBe(0);
  });

  it('counts a damaged snapshot as none', async () => {
    const first = await furnished();
    const location = await first.room.prepare(never);
    await first.room.close();
    await writeFile(location!, '{"version":1,"connections":[');
    const next = first.again();
    expect((await snapshotOf(await next.room.prepare(never))).connections).toHaveLength(2);
  });

  it('fetches a document whose file is gone', async () => {
    const first = await furnished();
    const snapshot = await snapshotOf(await first.room.prepare(never));
    await first.room.close();
    await rm(join(first.directory, snapshot.documents['mail']!));
    const next = first.again();
    await next.room.prepare(never);
    await expect.poll(() => readdir(first.directory)).toHaveLength(3);
  });
});

describe('what changes in the resource group', () => {
  it('is seen after the interval: new, changed and removed connections', async () => {
    const clock = manualClock();
    const opened = await furnished({ clock, settings: { refreshMs: 300_000 } });
    const { room, arm } = opened;
    await room.prepare(never);
    await expect.poll(() => clock.waits).toContain(300_000);
    arm.connections.delete('chat');
    arm.connections.set('files', { name: 'files', api: 'files', status: 'Error' });
    arm.apis.set('files', swagger('files', 'List'));
    clock.advance(300_000);
    await expect.poll(() => room.connections().map(({ name }) => name)).toEqual(['files', 'mail']);
    await expect.poll(() => arm.asked('EXPORT files')).toBe(1);
    await expect.poll(() => clock.waits).toContain(300_000);
    clock.advance(50);
    await expect.poll(() => opened.refreshes).toBeGreaterThan(0);
    const snapshot = await snapshotOf(await room.prepare(never));
    expect(Object.keys(snapshot.documents)).toEqual(['files', 'mail']);
    expect(room.status('chat')).toBeUndefined();
    expect(room.marks()).toEqual({ files: MARK });
    expect(arm.asked('EXPORT mail')).toBe(1);
  });

  it('removes documents that nobody names, once nobody can be reading them', async () => {
    const { room, arm, directory } = await furnished();
    const before = await snapshotOf(await room.prepare(never));
    const old = join(directory, before.documents['chat']!);
    arm.connections.delete('chat');
    await room.reload(never);
    expect(await readdir(directory)).toHaveLength(3);
    const long = new Date(Date.now() - 3_600_000);
    await utimes(old, long, long);
    arm.apis.set('mail', swagger('mail', 'Read'));
    await room.reload(never);
    expect(await readdir(directory)).not.toContain(before.documents['chat']);
  });

  it('takes the mark away and puts it back, without another definition', async () => {
    const { room, arm } = await furnished();
    const location = await room.prepare(never);
    const before = await readFile(location!, 'utf8');
    arm.connections.set('chat', { name: 'chat', api: 'chat', displayName: 'Our chat' });
    arm.connections.set('mail', { name: 'mail', api: 'mail', status: 'Unauthenticated' });
    await room.reload(never);
    expect(room.marks()).toEqual({ mail: MARK });
    expect(await readFile(location!, 'utf8')).toBe(before);
    expect(benches.at(-1)!.refreshes).toBe(1);
  });

  it('follows what a call has shown', async () => {
    const { room } = await furnished();
    await room.prepare(never);
    room.observed('mail', 'Error');
    expect(room.status('mail')).toBe('Error');
    expect(room.marks()).toEqual({ chat: MARK, mail: MARK });
    await expect.poll(() => benches.at(-1)!.refreshes).toBe(1);
    room.observed('mail', 'Connected');
    expect(room.marks()).toEqual({ chat: MARK });
    room.observed('nobody', 'Error');
    expect(room.status('nobody')).toBeUndefined();
  });

  it('reads a list over all its pages', async () => {
    const { room, arm } = await furnished();
    for (const name of ['a', 'b', 'c']) arm.connections.set(name, { name, api: 'mail' });
    arm.pageSize = 2;
    await room.prepare(never);
    expect(room.connections()).toHaveLength(5);
    expect(arm.asked('GET connections')).toBe(3);
  });

  it('leaves out disabled connections and those that the configuration does not name', async () => {
    const { room, arm } = await furnished({ settings: { connections: ['MAIL', 'off', 'lost'] } });
    arm.connections.set('off', { name: 'off', api: 'mail', state: 'Disabled' });
    const snapshot = await snapshotOf(await room.prepare(never));
    expect(snapshot.connections.map(({ name }) => name)).toEqual(['mail']);
    expect(snapshot.problems.map(({ message }) => message)).toEqual([
      'There is no connection "off" in resource group rg-one, or it is disabled.',
      'There is no connection "lost" in resource group rg-one, or it is disabled.',
    ]);
    expect(() => room.checkReach('chat')).toThrow(/limits this source to the connections MAIL, off, lost/);
    expect(() => room.checkReach('mail')).not.toThrow();
  });
});

describe('a list that cannot be had', () => {
  it('says why, and is tried again with growing waits', async () => {
    const clock = manualClock();
    const { room, arm, reports } = await furnished({ clock });
    arm.instead = ({ path }) =>
      path === CONNECTIONS ? armError(403, 'AuthorizationFailed', 'The client has no right.') : undefined;
    expect(await room.prepare(never)).toBeUndefined();
    expect(room.problem()).toMatchObject({
      code: 'upstream_status',
      status: 403,
      message:
        'Azure Resource Manager answered 403 AuthorizationFailed to "list the connections": The client has no right (request req-1).',
      next: expect.stringContaining('Microsoft.Web/connections/read'),
    });
    const waits: number[] = [];
    for (let n = 0; n < 11; n++) {
      const asked = arm.asked('GET connections');
      await expect.poll(() => clock.waits).toHaveLength(1);
      waits.push(clock.waits[0]!);
      clock.advance(clock.waits[0]!);
      await expect.poll(() => arm.asked('GET connections')).toBe(asked + 1);
    }
    expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(waits.slice(-2)).toEqual([300_000, 300_000]);
    expect(reports).toHaveLength(1);
    await expect.poll(() => clock.waits).toHaveLength(1);
    arm.instead = undefined;
    clock.advance(300_000);
    await expect.poll(() => room.problem()).toBeUndefined();
    await expect.poll(() => room.connections()).toHaveLength(2);
  });

  it('is tried at once when somebody asks', async () => {
    const clock = manualClock();
    const { room, arm } = await furnished({ clock });
    arm.instead = () => armError(401, 'ExpiredAuthenticationToken', 'The token has expired.');
    expect(await room.prepare(never)).toBeUndefined();
    expect(room.problem()?.next).toMatch(/^Sign in again/);
    arm.instead = undefined;
    await room.retry(never);
    expect(room.problem()).toBeUndefined();
    expect(room.connections()).toHaveLength(2);
  });

  it('waits as long as Azure asks for', async () => {
    const clock = manualClock();
    const { room, arm } = await furnished({ clock });
    arm.instead = () => ({
      ...armError(429, 'SubscriptionRequestsThrottled', 'Too many.'),
      headers: { 'retry-after': '120' },
    });
    await room.prepare(never);
    await expect.poll(() => clock.waits).toEqual([120_000]);
    expect(room.problem()).toMatchObject({ status: 429, next: expect.stringContaining('in 120 seconds') });
    expect(arm.asked('GET connections')).toBe(1);
  });

  it('is not the end of what was known', async () => {
    const first = await furnished();
    await first.room.prepare(never);
    await first.room.close();
    first.arm.instead = () => armError(500, 'InternalServerError', 'Oh.');
    const next = first.again();
    await next.room.prepare(never);
    await expect.poll(() => next.room.problem()?.status).toBe(500);
    expect(next.room.connections()).toHaveLength(2);
  });

  it('never shows the token', async () => {
    const { room, arm, reports } = await furnished();
    arm.instead = ({ headers }) =>
      armError(403, 'AuthorizationFailed', `You sent ${String(headers['authorization'])}`);
    await room.prepare(never);
    const { message, details } = room.problem()!;
    expect(JSON.stringify([message, details, reports])).not.toContain(TOKEN);
    expect(message).toContain('You sent Bearer');
  });
});

describe('a list that our own writes overtook', () => {
  it('does not take away what was just made', async () => {
    const { room, arm } = await furnished();
    await room.prepare(never);
    const old = { status: 200, body: { value: [...arm.connections.values()].map(resourceOf) } };
    const released = Promise.withResolvers<void>();
    let lists = 0;
    arm.instead = async ({ path }) => {
      if (path !== CONNECTIONS || ++lists > 1) return undefined;
      await released.promise;
      return old;
    };
    const reloading = room.reload(never);
    await expect.poll(() => lists).toBe(1);
    const body = { location: 'westus', properties: { displayName: 'Two', api: { id: `${APIS}/mail` } } };
    await room.putConnection('second', body, never);
    await room.deleteConnection('chat', never);
    released.resolve();
    await reloading;
    expect(lists).toBe(2);
    expect(room.connections().map(({ name }) => name)).toEqual(['mail', 'second']);
  });

  it('nor does an answer that comes after that of a later question', async () => {
    const { room, arm } = await furnished();
    await room.prepare(never);
    const old = { status: 200, body: { value: [...arm.connections.values()].map(resourceOf) } };
    const released = Promise.withResolvers<void>();
    let lists = 0;
    arm.instead = async ({ path }) => {
      if (path !== CONNECTIONS || ++lists > 1) return undefined;
      await released.promise;
      return old;
    };
    const first = room.listConnections(never);
    await expect.poll(() => lists).toBe(1);
    arm.connections.delete('chat');
    await room.listConnections(never);
    released.resolve();
    await first;
    expect(room.connections().map(({ name }) => name)).toEqual(['mail']);
  });
});

describe('a state folder that cannot be written', () => {
  it('leaves the own tools, and says why', async () => {
    const directory = join(await mkdtemp(join(tmpdir(), 'azure-file-')), 'file');
    await writeFile(directory, 'not a folder');
    const { room, reports } = await furnished({ directory });
    expect(await room.prepare(never)).toBeUndefined();
    expect(room.problem()?.message).toMatch(/cannot be written to the state folder \(E[A-Z]+\)/);
    expect(reports).not.toEqual([]);
    await rm(dirname(directory), { recursive: true });
  });
});

describe('a room that is closed', () => {
  it('asks nothing more and leaves no timer', async () => {
    const clock = manualClock();
    const { room, arm } = await furnished({ clock, settings: { refreshMs: 1_000 } });
    await room.prepare(never);
    await expect.poll(() => clock.waits).toContain(1_000);
    await room.close();
    const asked = arm.service.requests.length;
    expect(clock.waits).toEqual([]);
    clock.advance(600_000);
    expect(await room.prepare(never)).toBeDefined();
    expect(arm.service.requests).toHaveLength(asked);
  });

  it('ends what is under way', async () => {
    const { room, arm } = await furnished();
    arm.instead = () => new Promise(() => {});
    const prepared = room.prepare(never);
    await room.close();
    expect(await prepared).toBeUndefined();
    expect(benches.at(-1)!.reports).toEqual([]);
  });
});

describe('a token that Azure refuses', () => {
  it('is exchanged once', async () => {
    const { tokens, refused } = tokensOf(['old-token-0123456789', 'new-token-0123456789']);
    const { room, arm } = await furnished({ token: tokens });
    arm.instead = ({ headers }) =>
      headers['authorization'] === 'Bearer new-token-0123456789'
        ? undefined
        : armError(401, 'InvalidAuthenticationToken', 'Wrong.');
    await room.prepare(never);
    expect(room.problem()).toBeUndefined();
    expect(refused).toEqual(['old-token-0123456789']);
  });
});
