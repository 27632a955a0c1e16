import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { type ManualClock, manualClock } from './support/manual-clock.ts';
import { type Bench, type BenchOptions, never, openBench, tokensOf } from './support/open-room.ts';
import { armError, CONNECTIONS, resourceOf, swagger } from './support/small-arm.ts';

const LINK = 'https://consent.example/chat';
const benches: Bench[] = [];

afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

/** Chat, not signed in. */
async function bench(options: BenchOptions = {}): Promise<Bench & { readonly clock: ManualClock }> {
  const clock = manualClock();
  const opened = await openBench({ clock, ...options });
  benches.push(opened);
  opened.arm.connections.set('chat', { name: 'chat', api: 'chat', status: 'Error' });
  opened.arm.apis.set('chat', swagger('chat', 'Post'));
  await opened.room.prepare(never);
  clock.advance(50);
  return Object.assign(opened, { clock });
}

const bodyOf = ({ arm }: Bench, action: string) =>
  arm.service.requests
    .filter(({ path }) => path.endsWith(`/${action}`))
    .map(({ body }) => JSON.parse(body.toString()));

describe('a consent link', () => {
  it('is asked for in the name of the account whose token we have', async () => {
    const opened = await bench();
    expect(await opened.room.consentLink('chat', never)).toBe(LINK);
    expect(bodyOf(opened, 'listConsentLinks')).toEqual([
      {
        parameters: [
          {
            objectId: 'oid-1',
            parameterName: 'token',
            redirectUrl: 'https://elsewhere.example/back',
            tenantId: 'tid-1',
          },
        ],
      },
    ]);
    const request = opened.arm.service.requests.find(({ path }) => path.endsWith('/listConsentLinks'));
    expect(request).toMatchObject({ method: 'POST', path: `${CONNECTIONS}/chat/listConsentLinks` });
    expect(request!.query).toEqual([['api-version', '2018-07-01-preview']]);
  });

  it('is asked for by the older version where Azure does not know the newer one', async () => {
    const { room, arm } = await bench();
    arm.instead = ({ path, query }) =>
      path.endsWith('/listConsentLinks') && query[0]![1] !== '2016-06-01'
        ? armError(400, 'InvalidApiVersionParameter', 'No such version.')
        : undefined;
    expect(await room.consentLink('chat', never)).toBe(LINK);
  });

  it.each([
    [{}, /lacks the object id of its account \(oid\) and its tenant \(tid\)/],
    [{ objectId: 'oid-1' }, /lacks its tenant \(tid\)/],
  ])('needs a token that names an account: %j', async (claims, message) => {
    const { room, arm } = await bench({ token: tokensOf(undefined, claims).tokens });
    await expect(room.consentLink('chat', never)).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringMatching(message),
    });
    expect(arm.asked('POST listConsentLinks')).toBe(0);
  });

  it('takes the tenant of the settings where the token has none', async () => {
    const opened = await bench({
      token: tokensOf(undefined, { objectId: 'oid-1' }).tokens,
      settings: { tenant: 'tid-9' },
    });
    await opened.room.consentLink('chat', never);
    expect(bodyOf(opened, 'listConsentLinks')[0].parameters[0].tenantId).toBe('tid-9');
  });

  it.each([
    [[]],
    [[{ status: 'Error' }]],
    [[{ link: 'javascript:alert(1)' }]],
    [[{ link: 'http://evil.example/' }]],
    [null],
  ])('is none: %j', async (value) => {
    const { room, arm } = await bench();
    arm.instead = ({ path }) =>
      path.endsWith('/listConsentLinks') ? { status: 200, body: { value } } : undefined;
    await expect(room.consentLink('chat', never)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('no consent link'),
    });
  });

  it('says which right is missing', async () => {
    const { room, arm } = await bench();
    arm.instead = ({ path }) =>
      path.endsWith('/listConsentLinks') ? armError(403, 'AuthorizationFailed', 'No.') : undefined;
    await expect(room.consentLink('chat', never)).rejects.toMatchObject({
      next: expect.stringContaining('Microsoft.Web/connections/listConsentLinks/action'),
    });
  });
});

describe('after a link was given', () => {
  it('the connection is looked at until it is signed in; the mark goes without restart', async () => {
    const { room, arm, clock } = await bench();
    const opened = benches.at(-1)!;
    expect(Object.keys(room.marks())).toEqual(['chat']);
    await room.consentLink('chat', never);
    const waits: number[] = [];
    for (let n = 1; n <= 7; n++) {
      await expect.poll(() => clock.waits).toHaveLength(1);
      waits.push(clock.waits[0]!);
      clock.advance(clock.waits[0]!);
      await expect.poll(() => arm.asked('GET chat')).toBe(n);
    }
    expect(waits).toEqual([2_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000]);
    await expect.poll(() => clock.waits).toHaveLength(1);
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    clock.advance(15_000);
    await expect.poll(() => room.marks()).toEqual({});
    clock.advance(50);
    await expect.poll(() => opened.refreshes).toBe(1);
    expect(clock.waits).toEqual([]);
  });

  it('it is looked at for ten minutes, and no longer', async () => {
    const { room, arm, clock } = await bench();
    await room.consentLink('chat', never);
    for (let passed = 0; passed < 600_000; ) {
      const asked = arm.asked('GET chat');
      await expect.poll(() => clock.waits).toHaveLength(1);
      passed += clock.waits[0]!;
      clock.advance(clock.waits[0]!);
      await expect.poll(() => arm.asked('GET chat')).toBe(asked + 1);
    }
    await expect.poll(() => clock.waits).toEqual([]);
  });

  it('a failing look is no end, a deleted connection is', async () => {
    const { room, arm, clock } = await bench();
    await room.consentLink('chat', never);
    arm.instead = () => armError(400, 'Odd', 'Odd.');
    clock.advance(2_000);
    await expect.poll(() => clock.waits).toEqual([3_000]);
    arm.instead = undefined;
    arm.connections.delete('chat');
    clock.advance(3_000);
    await expect.poll(() => room.status('chat')).toBeUndefined();
    await expect.poll(() => clock.waits).toEqual([50]);
  });

  it('one that Azure called connected all along is not taken for signed in', async () => {
    const { room, arm, clock } = await bench();
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    await room.reload(never);
    room.observed('chat', 'Error');
    await room.consentLink('chat', never);
    const next = Math.max(...clock.waits);
    clock.advance(next);
    await expect.poll(() => arm.asked('GET chat')).toBe(1);
    await expect.poll(() => clock.waits).toContain(3_000);
    expect(room.status('chat')).toBe('Error');
  });
});

describe('waiting for a sign-in', () => {
  it('ends as soon as Azure says so', async () => {
    const { room, arm, clock } = await bench();
    await room.consentLink('chat', never);
    const waiting = room.whenConnected('chat', 60_000, never);
    await expect.poll(() => arm.asked('GET chat')).toBe(1);
    await expect.poll(() => clock.waits).toContain(2_000);
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    clock.advance(2_000);
    expect(await waiting).toBe(true);
    expect(await room.whenConnected('chat', 60_000, never)).toBe(true);
  });

  it('ends with its time, its caller and the room', async () => {
    const { room, arm, clock } = await bench();
    const late = room.whenConnected('chat', 1_000, never);
    await expect.poll(() => arm.asked('GET chat')).toBe(1);
    clock.advance(1_000);
    expect(await late).toBe(false);
    const caller = new AbortController();
    const gone = room.whenConnected('chat', 60_000, caller.signal);
    caller.abort();
    expect(await gone).toBe(false);
    expect(await room.whenConnected('chat', 60_000, caller.signal)).toBe(false);
    const closed = room.whenConnected('chat', 60_000, never);
    await room.close();
    expect(await closed).toBe(false);
    expect(clock.waits).toEqual([]);
  });
});

describe('the page that the browser comes back to', () => {
  async function withPage(more: BenchOptions = {}) {
    const port = await freePort();
    const page = `http://127.0.0.1:${port}/`;
    const opened = await bench({ ...more, settings: { consentRedirectUrl: page } });
    await opened.room.consentLink('chat', never);
    return Object.assign(opened, { page });
  }

  it('confirms the consent with its code, and is gone afterwards', async () => {
    const opened = await withPage();
    const { room, arm, page } = opened;
    const answer = await fetch(`${page}?code=the-code`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('The connection "chat" is signed in. You can close this window.\n');
    expect(bodyOf(opened, 'confirmConsentCode')).toEqual([
      { objectId: 'oid-1', tenantId: 'tid-1', code: 'the-code' },
    ]);
    const request = arm.service.requests.find(({ path }) => path.endsWith('/confirmConsentCode'));
    expect(request!.query).toEqual([['api-version', '2016-06-01']]);
    expect(room.status('chat')).toBe('Connected');
    expect(room.marks()).toEqual({});
    await expect(fetch(page)).rejects.toThrow();
  });

  it.each<[string, string, RequestInit, number]>([
    ['no code', '', {}, 400],
    ['two codes', '?code=a&code=b', {}, 400],
    ['another path', 'other?code=a', {}, 404],
    ['another method', '?code=a', { method: 'POST' }, 404],
  ])('answers %s without asking Azure', async (_, target, init, status) => {
    const { arm, page } = await withPage();
    expect((await fetch(page + target, init)).status).toBe(status);
    expect(arm.asked('POST confirmConsentCode')).toBe(0);
  });

  it('answers nobody who calls it by another name', async () => {
    const { arm, page } = await withPage();
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request(`${page}?code=a`, { headers: { host: 'rebound.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(404);
    expect(arm.asked('POST confirmConsentCode')).toBe(0);
  });

  it('says when Azure refuses the code, and stays open', async () => {
    const { arm, page } = await withPage();
    arm.instead = ({ path }) =>
      path.endsWith('/confirmConsentCode') ? armError(400, 'InvalidCode', 'Wrong code.') : undefined;
    const answer = await fetch(`${page}?code=secret-code`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain('secret-code');
    arm.instead = undefined;
    expect((await fetch(`${page}?code=the-code`)).status).toBe(200);
  });

  it('finds the connection among several, the latest first', async () => {
    const opened = await withPage();
    const { arm, room, page } = opened;
    arm.connections.set('mail', { name: 'mail', api: 'chat', status: 'Error' });
    await room.reload(never);
    await room.consentLink('mail', never);
    arm.instead = ({ path }) =>
      path === `${CONNECTIONS}/mail/confirmConsentCode`
        ? armError(400, 'InvalidCode', 'Not this one.')
        : undefined;
    expect(await (await fetch(`${page}?code=x`)).text()).toContain('"chat"');
    expect(room.status('chat')).toBe('Connected');
    expect(room.status('mail')).toBe('Error');
    arm.instead = undefined;
    expect(await (await fetch(`${page}?code=y`)).text()).toContain('"mail"');
  });

  it('is done without where the port is taken', async () => {
    const server = createServer((_, response) => response.end('somebody else'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { room, arm, clock } = await bench({
      settings: { consentRedirectUrl: `http://localhost:${port}` },
    });
    expect(await room.consentLink('chat', never)).toBe(LINK);
    arm.connections.set('chat', { name: 'chat', api: 'chat' });
    clock.advance(2_000);
    await expect.poll(() => room.status('chat')).toBe('Connected');
    await new Promise((resolve) => server.close(resolve));
  });

  it('ends with the room', async () => {
    const { room, page } = await withPage();
    await room.close();
    await expect(fetch(page)).rejects.toThrow();
  });
});

describe('a connection that was confirmed', () => {
  it('is looked at once more where the answer does not say that it is signed in', async () => {
    const port = await freePort();
    const page = `http://127.0.0.1:${port}/`;
    const { room, arm } = await bench({ settings: { consentRedirectUrl: page } });
    await room.consentLink('chat', never);
    arm.instead = ({ path }) => {
      if (!path.endsWith('/confirmConsentCode')) return undefined;
      const before = resourceOf(arm.connections.get('chat')!);
      arm.connections.set('chat', { name: 'chat', api: 'chat' });
      return { status: 200, body: before };
    };
    await fetch(`${page}?code=x`);
    expect(room.status('chat')).toBe('Connected');
  });
});
