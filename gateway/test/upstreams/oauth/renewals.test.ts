import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { UpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { type Guarded, guarded, signedIn } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);
const MINUTE = 60_000;
/** Of a token that lives an hour: its last minute has begun. */
const DUE = 59.5 * MINUTE;
const OVER = 61 * MINUTE;

/** A world in which somebody has signed in, with a clock that a test can move. */
async function withClock(settings?: UpstreamOAuth, prepare?: (world: Guarded) => void) {
  const world = await guarded();
  prepare?.(world);
  let time = Date.now();
  const now = () => time;
  const signIns = await signedIn(world, settings, now);
  const sourceOf = (of: UpstreamSignIns) => of.tokensFor(world.definition(settings))!;
  const renewals = () => world.oauth.grants.filter(({ grant_type }) => grant_type === 'refresh_token').length;
  const pass = (ms: number) => {
    time += ms;
  };
  return {
    world,
    signIns,
    source: sourceOf(signIns),
    sourceOf,
    another: () => world.signIns(now),
    renewals,
    pass,
  };
}

describe('a refresh token', () => {
  it('that does not rotate stays good', async () => {
    const { world, source, renewals } = await withClock(undefined, ({ oauth }) => {
      oauth.behaviour.rotates = false;
    });
    let token = await source.current(signal());
    for (const round of [1, 2]) {
      world.oauth.revoke('access');
      token = await source.renewed(token, {}, signal());
      expect(world.oauth.scopesOf(token)).toEqual(['tools:read']);
      expect(renewals()).toBe(round);
    }
  });

  it('is good again after the authorization server was not well', async () => {
    const { world, signIns, source } = await withClock();
    const token = await source.current(signal());
    world.oauth.behaviour.isAway = true;
    await expect(source.renewed(token, {}, signal())).rejects.toMatchObject({
      code: 'credentials_refused',
      next: expect.stringContaining('Try again later'),
    });
    expect(await signIns.status(world.definition())).toMatchObject({ renewable: true });
    world.oauth.behaviour.isAway = false;
    expect(world.oauth.scopesOf(await source.renewed(token, {}, signal()))).toEqual(['tools:read']);
  });

  it('that was refused is told to be of no use', async () => {
    const { world, signIns, source } = await withClock();
    world.oauth.revoke('refresh');
    const token = await source.current(signal());
    await expect(source.renewed(token, {}, signal())).rejects.toMatchObject({
      code: 'authorization_required',
    });
    expect(await signIns.status(world.definition())).toMatchObject({ renewable: false });
  });

  it('of a client whose registration is over leads to a sign-in, which registers anew', async () => {
    const { world, signIns, source } = await withClock();
    const token = await source.current(signal());
    world.oauth.revoke('refresh');
    world.oauth.behaviour.refusal = 'invalid_client';
    await expect(source.renewed(token, {}, signal())).rejects.toMatchObject({
      code: 'authorization_required',
      next: expect.stringContaining('toolcrib login'),
    });
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    await signIns.signIn(world.definition(), { onUrl, signal: signal() });
    expect(world.oauth.registrations).toHaveLength(2);
    expect(await source.current(signal())).not.toBe(token);
  });

  it('of a client that the configuration names stays, where the client is refused', async () => {
    const { world, source } = await withClock({ clientId: { env: 'CLIENT_ID' } });
    const token = await source.current(signal());
    world.oauth.revoke('refresh');
    world.oauth.behaviour.refusal = 'invalid_client';
    await expect(source.renewed(token, {}, signal())).rejects.toMatchObject({
      code: 'credentials_refused',
      next: expect.stringContaining('Check client id'),
    });
  });

  it('that another process was given last is the one that is used, also when a server refuses the token', async () => {
    const { world, source, sourceOf, another, pass, renewals } = await withClock({
      tokenFile: `${(await guarded()).folder}/remote.json`,
    });
    const token = await source.current(signal());
    pass(OVER);
    await sourceOf(another()).current(signal());
    pass(OVER);
    expect(world.oauth.scopesOf(await source.renewed(token, {}, signal()))).toEqual(['tools:read']);
    expect(renewals()).toBe(2);
  });
});

describe('a token file', () => {
  it('that could not be written loses nothing: what is in memory alone is renewed on', async () => {
    const tokenFile = `${(await guarded()).folder}/remote.json`;
    const { world, source, pass, renewals } = await withClock({ tokenFile });
    const before = await readFile(tokenFile);
    pass(OVER);
    await source.current(signal());
    await writeFile(tokenFile, before);
    pass(OVER);
    expect(world.oauth.scopesOf((await source.current(signal()))!)).toEqual(['tools:read']);
    expect(renewals()).toBe(2);
  });

  it('is not written again for a scope that was missed before', async () => {
    const tokenFile = `${(await guarded()).folder}/remote.json`;
    const { source } = await withClock({ tokenFile });
    const token = await source.current(signal());
    const miss = () => source.steppedUp(token, { scopes: ['write'] }, signal()).catch(() => undefined);
    await miss();
    const written = `${await readFile(tokenFile, 'utf8')}\n`;
    await writeFile(tokenFile, written);
    await miss();
    expect(await readFile(tokenFile, 'utf8')).toBe(written);
  });
});

describe('a token that is due', () => {
  it('is used on where it cannot be renewed now, until it has expired', async () => {
    const { world, source, pass } = await withClock();
    const token = await source.current(signal());
    world.oauth.behaviour.isAway = true;
    pass(DUE);
    expect(await source.current(signal())).toBe(token);
    pass(MINUTE);
    await expect(source.current(signal())).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  it('is not renewed again where another process has done so', async () => {
    const { source, sourceOf, another, pass, renewals } = await withClock({
      tokenFile: `${(await guarded()).folder}/remote.json`,
    });
    pass(DUE);
    const token = await sourceOf(another()).current(signal());
    expect(await source.current(signal())).toBe(token);
    expect(renewals()).toBe(1);
  });

  it('is one of a short life in its last half only', async () => {
    const { source, pass, renewals } = await withClock(undefined, ({ oauth }) => {
      oauth.behaviour.lifetimeSeconds = 40;
    });
    await source.current(signal());
    pass(19_000);
    await source.current(signal());
    expect(renewals()).toBe(0);
    pass(2_000);
    await source.current(signal());
    expect(renewals()).toBe(1);
  });

  it('is followed by one without an end where the server says none', async () => {
    const { world, source, pass, renewals } = await withClock();
    world.oauth.behaviour.lifetimeSeconds = undefined;
    pass(DUE);
    await source.current(signal());
    pass(OVER);
    await source.current(signal());
    expect(renewals()).toBe(1);
  });
});

describe('scopes that a call misses', () => {
  it('are kept beside those that others missed, for the next sign-in', async () => {
    const { world, signIns, source } = await withClock();
    const token = await source.current(signal());
    for (const scope of ['write', 'delete'])
      await expect(source.steppedUp(token, { scopes: [scope] }, signal())).rejects.toMatchObject({
        code: 'authorization_required',
        details: { scopes: [scope] },
      });
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    const { scopes } = await signIns.signIn(world.definition(), { onUrl, signal: signal() });
    expect(scopes).toEqual(['tools:read', 'write', 'delete']);
  });

  it('where nobody has signed in are told to a person', async () => {
    const world = await guarded();
    const source = world.signIns().tokensFor(world.definition())!;
    await expect(source.steppedUp(undefined, { scopes: ['write'] }, signal())).rejects.toMatchObject({
      code: 'authorization_required',
      details: { scopes: ['write'] },
    });
  });

  it('are not missed once another sign-in brought a new token', async () => {
    const { world, signIns, source } = await withClock();
    const token = await source.current(signal());
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    await signIns.signIn(world.definition({}), { onUrl, signal: signal() });
    expect(await source.steppedUp(token, { scopes: ['write'] }, signal())).not.toBe(token);
  });

  it('of a client that has them already are not asked for again', async () => {
    const world = await guarded();
    const settings: UpstreamOAuth = {
      grant: 'client_credentials',
      clientId: { env: 'CLIENT_ID' },
      clientSecret: { env: 'CLIENT_SECRET' },
    };
    const source = world.signIns().tokensFor(world.definition(settings))!;
    const token = await source.renewed(undefined, { scopes: ['write'] }, signal());
    await expect(source.steppedUp(token, { scopes: ['write'] }, signal())).rejects.toMatchObject({
      code: 'authorization_required',
      next: expect.stringContaining('whoever runs the authorization server'),
    });
    expect(world.oauth.grants).toHaveLength(1);
  });
});

describe('client credentials', () => {
  const settings: UpstreamOAuth = {
    grant: 'client_credentials',
    clientId: { env: 'CLIENT_ID' },
    clientSecret: { env: 'CLIENT_SECRET' },
  };

  it('are asked for again in time, with the same scopes, and never kept in a file', async () => {
    const world = await guarded();
    let time = Date.now();
    const own = { ...settings, tokenFile: `${world.folder}/remote.json` };
    const signIns = world.signIns(() => time);
    const source = signIns.tokensFor(world.definition(own))!;
    expect(await source.current(signal())).toBeUndefined();
    const first = await source.renewed(undefined, { scopes: ['write'] }, signal());
    time += DUE;
    expect(await source.current(signal())).not.toBe(first);
    expect(world.oauth.grants.map(({ grant_type, scope }) => [grant_type, scope])).toEqual([
      ['client_credentials', 'write'],
      ['client_credentials', 'write'],
    ]);
    const other = world.signIns(() => time).tokensFor(world.definition(own))!;
    expect(await other.current(signal())).toBeUndefined();
  });

  it('that are refused are asked for again with all scopes that calls needed', async () => {
    const world = await guarded();
    const source = world.signIns().tokensFor(world.definition(settings))!;
    const first = await source.renewed(undefined, {}, signal());
    const more = await source.steppedUp(first, { scopes: ['write'] }, signal());
    world.oauth.revoke('access');
    const again = await source.renewed(more, {}, signal());
    expect(again).not.toBe(more);
    expect(world.oauth.grants.map(({ scope }) => scope)).toEqual([
      'tools:read',
      'tools:read write',
      'tools:read write',
    ]);
  });

  it('are found where the challenge says, and are no sign-in of a person', async () => {
    const world = await guarded();
    const source = world.signIns().tokensFor(world.definition(settings))!;
    const resourceMetadata = `${world.server.origin}/metadata`;
    await source.renewed(undefined, { resourceMetadata }, signal());
    expect(world.server.requests.map(({ path }) => path)).toEqual(['/metadata']);
    await expect(signedIn(world, settings)).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});

describe('before a call, without anybody being asked', () => {
  const required = {
    code: 'authorization_required',
    next: 'Sign in to the server: `toolcrib login remote`.',
  };

  it('a server may want no sign-in, until it has refused to do without, for some minutes', async () => {
    const world = await guarded();
    let time = Date.now();
    const signIns = world.signIns(() => time);
    const source = signIns.tokensFor(world.definition())!;
    await source.ready(signal());
    await expect(source.renewed(undefined, {}, signal())).rejects.toMatchObject(required);
    await expect(source.ready(signal())).rejects.toMatchObject(required);
    time += 6 * MINUTE;
    await source.ready(signal());
    await expect(source.renewed(undefined, {}, signal())).rejects.toMatchObject(required);
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    await signIns.signIn(world.definition(), { onUrl, signal: signal() });
    await source.ready(signal());
  });

  it('a sign-in is good while it can be renewed or lives, and not once the server and its issuer refused it', async () => {
    const { world, source, pass, renewals } = await withClock();
    await source.ready(signal());
    pass(OVER);
    await source.ready(signal());
    expect(renewals()).toBe(0);
    pass(-OVER);
    world.oauth.revoke('refresh');
    const token = await source.current(signal());
    await expect(source.renewed(token, {}, signal())).rejects.toMatchObject(required);
    await expect(source.ready(signal())).rejects.toMatchObject(required);
    pass(6 * MINUTE);
    await source.ready(signal());
    pass(OVER);
    await expect(source.ready(signal())).rejects.toMatchObject(required);
  });

  it('a client of our own needs its secret', async () => {
    const world = await guarded();
    const grant = { grant: 'client_credentials', clientId: { env: 'CLIENT_ID' } } as const;
    const readyWith = (settings: UpstreamOAuth) =>
      world.signIns().tokensFor(world.definition(settings))!.ready(signal());
    await readyWith({ ...grant, clientSecret: { env: 'CLIENT_SECRET' } });
    const missing = { code: 'credentials_missing' };
    await expect(readyWith({ ...grant, clientSecret: { env: 'NOT_SET' } })).rejects.toMatchObject(missing);
    await expect(readyWith(grant)).rejects.toMatchObject(missing);
  });
});
