import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { isUnsent } from '../../../src/upstreams/transports/unsent.ts';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { type Guarded, guarded, signedIn } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);
const call = { name: 'echo', arguments: {} };

const kinds = ({ oauth }: Guarded) => oauth.grants.map(({ grant_type }) => grant_type);

describe('a token', () => {
  it('that nobody signed in for is authorization_required, with the command that mends it', async () => {
    const world = await guarded();
    await expect(world.connect(world.signIns())).rejects.toMatchObject({
      code: 'authorization_required',
      next: expect.stringContaining('toolcrib login remote'),
    });
  });

  it('that the server refuses is renewed, and the call goes on without being carried out twice', async () => {
    const world = await guarded();
    const client = await world.connect(await signedIn(world));
    world.oauth.revoke('access');
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'echo' }] });
    expect(kinds(world)).toEqual(['authorization_code', 'refresh_token']);
    expect(world.oauth.grants[1]).toMatchObject({ resource: world.server.url, client_id: 'client-1' });
    expect(world.server.executed).toEqual(['echo']);
  });

  it('is renewed before it expires', async () => {
    const world = await guarded();
    let time = Date.now();
    const signIns = await signedIn(world, undefined, () => time);
    const client = await world.connect(signIns);
    expect(kinds(world)).toEqual(['authorization_code']);
    time += 3_550_000;
    await client.callTool(call);
    expect(kinds(world)).toEqual(['authorization_code', 'refresh_token']);
    const sent = world.server.requests.filter(({ path }) => path === '/mcp').slice(1);
    expect(sent.map(({ headers }) => headers.authorization)).not.toContain(undefined);
  });

  it.each(['', [], true, -1, 1e300])(
    'whose lifetime is given as %j is used until it is refused',
    async (said) => {
      const world = await guarded();
      world.oauth.behaviour.lifetimeSeconds = said;
      let time = Date.now();
      const client = await world.connect(await signedIn(world, undefined, () => time));
      time += 3_550_000;
      await client.callTool(call);
      expect(kinds(world)).toEqual(['authorization_code']);
    },
  );

  it('is renewed once for all calls that wait, with a refresh token that rotates', async () => {
    const world = await guarded();
    const client = await world.connect(await signedIn(world));
    for (const round of [1, 2]) {
      world.oauth.revoke('access');
      await Promise.all(Array.from({ length: 8 }, () => client.callTool(call)));
      expect(kinds(world).filter((kind) => kind === 'refresh_token')).toHaveLength(round);
    }
  });

  it('is renewed to the end when the caller goes away, so that a rotated one is not lost', async () => {
    const world = await guarded();
    const signIns = await signedIn(world);
    const source = signIns.tokensFor(world.definition())!;
    const released = Promise.withResolvers<void>();
    world.oauth.behaviour.held = released.promise;
    const caller = new AbortController();
    const before = await source.current(signal());
    const renewal = source.renewed(before, {}, caller.signal);
    await expect.poll(() => world.oauth.grants.length).toBe(2);
    caller.abort();
    await expect(renewal).rejects.toThrow();
    released.resolve();
    const token = await source.renewed(before, {}, signal());
    expect(world.oauth.scopesOf(token)).toEqual(['tools:read']);
    expect(world.oauth.grants).toHaveLength(2);
  });

  it('that cannot be renewed now, since the authorization server is away, leaves the call unsent', async () => {
    const world = await guarded();
    const client = await world.connect(await signedIn(world));
    world.oauth.revoke('access');
    await world.oauth.stop();
    const error = await client.callTool(call).catch((reason: unknown) => reason);
    expect(isUnsent(error)).toBe(true);
    expect(world.server.executed).toEqual([]);
  });

  it('whose refresh token was revoked asks for a new sign-in, and asks the server no more', async () => {
    const world = await guarded();
    const client = await world.connect(await signedIn(world));
    world.oauth.revoke('access');
    world.oauth.revoke('refresh');
    for (const _ of [1, 2]) {
      await expect(client.callTool(call)).rejects.toMatchObject({
        code: 'authorization_required',
        message: expect.not.stringContaining('refresh-'),
      });
    }
    expect(kinds(world)).toEqual(['authorization_code', 'refresh_token']);
  });

  // LemonLDAP::NG 2.16.1 answers 400 invalid_request, Glewlwyd 2.7.5 400 with an empty body
  it.each([['invalid_request'], [undefined]])(
    'whose refresh token is refused by %s asks for a new sign-in',
    async (refusal) => {
      const world = await guarded();
      const client = await world.connect(await signedIn(world));
      world.oauth.revoke('access');
      world.oauth.revoke('refresh');
      world.oauth.behaviour.refusal = refusal;
      await expect(client.callTool(call)).rejects.toMatchObject({ code: 'authorization_required' });
    },
  );

  it('is told to the redactor, with the refresh token and the code', async () => {
    const world = await guarded();
    await signedIn(world);
    const { code, code_verifier } = world.oauth.grants[0]!;
    const announced = [...world.announced];
    for (const secret of [code, code_verifier]) expect(announced).toContain(secret);
    expect(announced.some((secret) => secret.startsWith('access-'))).toBe(true);
    expect(announced.some((secret) => secret.startsWith('refresh-'))).toBe(true);
  });
});

describe('a call that needs more', () => {
  it('names the scopes; the next sign-in asks for them beside the old ones, and the call then passes', async () => {
    const world = await guarded();
    const signIns = await signedIn(world);
    const client = await world.connect(signIns);
    world.needed = 'tools:write';
    await expect(client.callTool(call)).rejects.toMatchObject({
      code: 'authorization_required',
      details: { scopes: ['tools:write'] },
    });
    expect(world.server.executed).toEqual([]);
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    const status = await signIns.signIn(world.definition(), { onUrl, signal: signal() });
    expect(status.scopes).toEqual(['tools:read', 'tools:write']);
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'echo' }] });
  });
});

describe('client credentials', () => {
  const settings: UpstreamOAuth = {
    grant: 'client_credentials',
    clientId: { env: 'CLIENT_ID' },
    clientSecret: { env: 'CLIENT_SECRET' },
  };

  it('need no person: asked for when the server wants a token, again when it refuses it, with more scopes when it says so', async () => {
    const world = await guarded();
    const client = await world.connect(world.signIns(), settings);
    await client.callTool(call);
    world.oauth.revoke('access');
    await client.callTool(call);
    world.needed = 'tools:write';
    await client.callTool(call);
    expect(world.oauth.grants.map(({ scope }) => scope)).toEqual([
      'tools:read',
      'tools:read',
      'tools:read tools:write',
    ]);
    expect(new Set(kinds(world))).toEqual(new Set(['client_credentials']));
  });

  it('without a secret are credentials_missing', async () => {
    const world = await guarded();
    const { clientSecret: _none, ...incomplete } = settings;
    await expect(world.connect(world.signIns(), incomplete)).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });
});

describe('a token file', () => {
  it('keeps the sign-in for other processes, for its owner only, and nothing else lies beside it', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'tokens', 'remote.json');
    await signedIn(world, { tokenFile });
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(world.folder, 'tokens'))).toEqual(['remote.json']);
    const client = await world.connect(world.signIns(), { tokenFile });
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'echo' }] });
    expect(kinds(world)).toEqual(['authorization_code']);
  });

  it('gets what a renewal brought, and one process renews at a time: a refresh token is never used twice', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    const first = await world.connect(await signedIn(world, { tokenFile }), { tokenFile });
    const second = await world.connect(world.signIns(), { tokenFile });
    world.oauth.revoke('access');
    await Promise.all([first, second].map((client) => client.callTool(call)));
    expect(kinds(world)).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is renewed with what another process was given last, though that has expired, too', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    let now = Date.now();
    const asleep = await signedIn(world, { tokenFile }, () => now);
    const awake = world.signIns(() => now);
    const tokenOf = (signIns: UpstreamSignIns) =>
      signIns.tokensFor(world.definition({ tokenFile }))!.current(signal());
    await tokenOf(asleep);
    now += 4_000_000;
    await tokenOf(awake);
    now += 4_000_000;
    expect(world.oauth.scopesOf((await tokenOf(asleep))!)).toBeDefined();
    expect(kinds(world)).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
  });

  it('keeps what another process was given last when scopes are wanted', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    let now = Date.now();
    const asleep = await signedIn(world, { tokenFile }, () => now);
    const sourceOf = (signIns: UpstreamSignIns) => signIns.tokensFor(world.definition({ tokenFile }))!;
    const token = await sourceOf(asleep).current(signal());
    now += 4_000_000;
    await sourceOf(world.signIns(() => now)).current(signal());
    const { refreshToken } = JSON.parse(await readFile(tokenFile, 'utf8'));
    now += 4_000_000;
    await expect(sourceOf(asleep).steppedUp(token, { scopes: ['more'] }, signal())).rejects.toMatchObject({
      code: 'authorization_required',
    });
    expect(JSON.parse(await readFile(tokenFile, 'utf8'))).toMatchObject({ refreshToken, wanted: ['more'] });
  });

  it('is not written where none is named', async () => {
    const world = await guarded();
    await signedIn(world);
    expect(await readdir(world.folder)).toEqual([]);
  });

  it('does not hold the secret that the configuration knows', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    await signedIn(world, {
      tokenFile,
      clientId: { env: 'CLIENT_ID' },
      clientSecret: { env: 'CLIENT_SECRET' },
    });
    expect(await readFile(tokenFile, 'utf8')).not.toContain('known secret');
  });

  it.skipIf(process.platform === 'win32')(
    'that others can read is refused, to read and to write',
    async () => {
      const world = await guarded();
      const tokenFile = join(world.folder, 'remote.json');
      const signIns = await signedIn(world, { tokenFile });
      await chmod(tokenFile, 0o644);
      const refused = { code: 'configuration_invalid', message: expect.stringContaining('mode 644') };
      await expect(world.connect(world.signIns(), { tokenFile })).rejects.toMatchObject(refused);
      const onUrl = async (url: string) => void (await world.oauth.agree(url));
      const again = signIns.signIn(world.definition({ tokenFile }), { onUrl, signal: signal() });
      await expect(again).rejects.toMatchObject(refused);
    },
  );

  it('that a process left locked when it was killed is taken over', async () => {
    const world = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    const client = await world.connect(await signedIn(world, { tokenFile }), { tokenFile });
    await writeFile(`${tokenFile}.lock`, '');
    const old = new Date(Date.now() - 60_000);
    await utimes(`${tokenFile}.lock`, old, old);
    world.oauth.revoke('access');
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'echo' }] });
    expect(await readdir(world.folder)).toEqual(['remote.json']);
  });

  it.skipIf(process.platform === 'win32')('that is a link, or holds something else, is refused', async () => {
    const world = await guarded();
    const target = join(world.folder, 'target.json');
    const link = join(world.folder, 'link.json');
    await writeFile(target, '{}', { mode: 0o600 });
    await symlink(target, link);
    for (const tokenFile of [target, link]) {
      const failed = world.connect(world.signIns(), { tokenFile });
      await expect(failed).rejects.toMatchObject({ code: 'configuration_invalid' });
    }
  });

  it('of another server gives nothing away', async () => {
    const world = await guarded();
    const other = await guarded();
    const tokenFile = join(world.folder, 'remote.json');
    await signedIn(world, { tokenFile });
    await expect(other.connect(other.signIns(), { tokenFile })).rejects.toMatchObject({
      code: 'authorization_required',
    });
    const sent = other.server.requests.map(({ headers }) => headers.authorization);
    expect(sent.filter((header) => header !== undefined)).toEqual([]);
  });
});
