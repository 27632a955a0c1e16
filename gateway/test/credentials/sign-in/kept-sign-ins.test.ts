import { chmod, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeptSignIns } from '../../../src/credentials/sign-in/kept-sign-ins.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { signingIn } from './signing-in.ts';

const HOUR = 3_600_000;
const required = { code: 'authorization_required', next: 'Sign in: `toolcrib login pets`.' };
const refreshes = (grants: readonly Record<string, string>[]) =>
  grants.filter(({ grant_type: type }) => type === 'refresh_token').length;

describe('a sign-in that is kept', () => {
  it('is used as it is, until its last minute', async () => {
    const world = await signingIn();
    const { accessToken } = await world.signIn();
    expect((await world.gateway().authorize()).value).toBe(`Bearer ${accessToken}`);
    expect((await stat(world.file)).mode & 0o777).toBe(0o600);
    expect(world.oauth.grants).toHaveLength(1);
  });

  it('is renewed in time, once for all, and the new refresh token is kept', async () => {
    const world = await signingIn();
    const before = await world.signIn();
    const late = () => Date.now() + HOUR;
    const gateway = world.gateway({}, late);
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway.authorize()));
    const values = new Set(all.map(({ value }) => value));
    expect(values.size).toBe(1);
    expect(refreshes(world.oauth.grants)).toBe(1);
    const kept = await world.kept();
    expect(values).toEqual(new Set([`Bearer ${kept.accessToken}`]));
    expect(kept.refreshToken).not.toBe(before.refreshToken);
    expect(kept).toMatchObject({ scopes: ['events.read'], clientId: 'crib' });
    expect(JSON.stringify(kept)).not.toContain('client-secret');
  });

  it('is renewed once by two processes that share the file', async () => {
    const world = await signingIn();
    await world.signIn();
    const late = () => Date.now() + HOUR;
    const both = [world.gateway({}, late), world.gateway({}, late)];
    const values = await Promise.all(both.map(async (gateway) => (await gateway.authorize()).value));
    expect(new Set(values).size).toBe(1);
    expect(refreshes(world.oauth.grants)).toBe(1);
  });

  it('is renewed when the service refuses the token, once for that token', async () => {
    const world = await signingIn();
    await world.signIn();
    const gateway = world.gateway();
    const [one, other] = await Promise.all([gateway.authorize(), gateway.authorize()]);
    expect([one.refuse(), other.refuse()]).toEqual([true, true]);
    const again = await gateway.authorize();
    expect(again.value).not.toBe(one.value);
    expect(refreshes(world.oauth.grants)).toBe(1);
    // whoever held the old one does not throw the new one away
    other.refuse();
    expect((await gateway.authorize()).value).toBe(again.value);
    expect(refreshes(world.oauth.grants)).toBe(1);
  });

  it('is not lost when nobody waits any more for its renewal', async () => {
    const world = await signingIn();
    await world.signIn();
    const held = Promise.withResolvers<void>();
    world.oauth.behaviour.held = held.promise;
    const gateway = world.gateway({}, () => Date.now() + HOUR);
    const leaving = new AbortController();
    const left = gateway.authorize(leaving.signal);
    await expect.poll(() => refreshes(world.oauth.grants)).toBe(1);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    held.resolve();
    const { value } = await gateway.authorize();
    await expect.poll(async () => `Bearer ${(await world.kept()).accessToken}`).toBe(value);
    expect(refreshes(world.oauth.grants)).toBe(1);
  });

  it('goes on in memory where the file cannot be written', async () => {
    const world = await signingIn();
    await world.signIn();
    const gateway = world.gateway({}, () => Date.now() + HOUR);
    const folder = dirname(world.file);
    world.oauth.behaviour.held = chmod(folder, 0o500);
    await gateway.authorize().catch(() => undefined);
    await chmod(folder, 0o700);
    const { value } = await gateway.authorize();
    expect(world.oauth.scopesOf(value!.slice('Bearer '.length))).toEqual(['events.read']);
  });

  // a used refresh token: LemonLDAP::NG 2.16.1 answers 400 invalid_request, Glewlwyd 2.7.5 400 with an empty body
  it.each([['invalid_request'], [undefined]])(
    'that the provider refuses to renew by %s asks for a person, too, and the provider again',
    async (refusal) => {
      const world = await signingIn();
      await world.signIn();
      world.oauth.revoke('refresh');
      world.oauth.behaviour.refusal = refusal;
      const gateway = world.gateway({}, () => Date.now() + HOUR);
      const answered = expect.stringMatching(/cannot be renewed\. The token endpoint .* answered 400/);
      await expect(gateway.authorize()).rejects.toMatchObject({ ...required, message: answered });
      await expect(gateway.authorize()).rejects.toMatchObject(required);
      expect(world.oauth.grants).toHaveLength(3);
    },
  );

  it('that a client may not renew is no matter of a person', async () => {
    const world = await signingIn();
    await world.signIn();
    world.oauth.revoke('refresh');
    world.oauth.behaviour.refusal = 'unauthorized_client';
    await expect(world.gateway({}, () => Date.now() + HOUR).authorize()).rejects.toMatchObject({
      code: 'credentials_refused',
    });
  });

  it('that the provider has ended asks for a person, and the provider is not asked again', async () => {
    const world = await signingIn();
    await world.signIn();
    world.oauth.revoke('refresh');
    const gateway = world.gateway({}, () => Date.now() + HOUR);
    await expect(gateway.authorize()).rejects.toMatchObject(required);
    await expect(gateway.authorize()).rejects.toMatchObject(required);
    expect(refreshes(world.oauth.grants)).toBe(1);
    const { accessToken } = await world.signIn();
    expect((await world.gateway().authorize()).value).toBe(`Bearer ${accessToken}`);
  });

  it('is good to its very end where the provider cannot be asked', async () => {
    const world = await signingIn();
    const { expiresAt, accessToken } = await world.signIn();
    await world.oauth.stop();
    const soon = world.gateway({}, () => expiresAt! - 10_000);
    expect((await soon.authorize()).value).toBe(`Bearer ${accessToken}`);
    const late = world.gateway({}, () => expiresAt! + 1);
    await expect(late.authorize()).rejects.toMatchObject({ code: 'upstream_unreachable' });
  });

  it('is renewed in its last minute, at the address that is named for it, for what it is good for', async () => {
    const world = await signingIn();
    const { expiresAt, accessToken } = await world.signIn();
    const { value } = await world.gateway({}, () => expiresAt! - 30_000).authorize();
    expect(value).not.toBe(`Bearer ${accessToken}`);
    expect(world.oauth.grants.at(-1)).toMatchObject({ grant_type: 'refresh_token' });
    expect(world.oauth.grants.at(-1)).not.toHaveProperty('scope');

    const elsewhere = await signingIn({ refreshUrl: 'http://127.0.0.1:1/renew' });
    await elsewhere.signIn();
    await expect(elsewhere.gateway({}, () => Date.now() + HOUR).authorize()).rejects.toThrow();
    expect(refreshes(elsewhere.oauth.grants)).toBe(0);
  });

  it('of a short life is used for its first half', async () => {
    const world = await signingIn();
    await world.keep({ refreshToken: 'refresh-kept', expiresAt: Date.now() + 50_000 });
    expect((await world.gateway().authorize()).value).toBe('Bearer access-kept');
    expect(world.oauth.grants).toEqual([]);
  });

  it('that the provider has ended is good to its end, and a refusal asks for a person', async () => {
    const world = await signingIn();
    const { expiresAt, accessToken } = await world.signIn();
    world.oauth.revoke('refresh');
    const { value, refuse } = await world.gateway({}, () => expiresAt! - 30_000).authorize();
    expect(value).toBe(`Bearer ${accessToken}`);
    expect(refuse()).toBe(false);
  });

  it('is announced as secret when it is read', async () => {
    const world = await signingIn();
    await world.keep({ refreshToken: 'refresh-kept' });
    const announced: string[] = [];
    const { accessToken } = createKeptSignIns({
      egress: {} as Egress,
      announce: (secret) => void announced.push(secret),
      now: Date.now,
    });
    const tokenUrl = `${world.oauth.origin}/token`;
    const client = { clientId: 'crib', clientAuthentication: 'basic', tokenUrl } as const;
    const need = { source: 'pets', file: world.file, client, refreshUrl: tokenUrl };
    await accessToken(need, new AbortController().signal);
    expect(announced).toEqual(['access-kept', 'refresh-kept']);
  });

  it('without an end or a refresh token is used until it is refused', async () => {
    const world = await signingIn();
    await world.keep({});
    const gateway = world.gateway({}, () => Date.now() + 100 * HOUR);
    const { value, refuse } = await gateway.authorize();
    expect(value).toBe('Bearer access-kept');
    expect(refuse()).toBe(false);
    await expect(gateway.authorize()).rejects.toMatchObject(required);
  });

  it('is taken up by a running gateway when a person signs in anew, or for the first time', async () => {
    const world = await signingIn();
    const gateway = world.gateway();
    await expect(gateway.authorize()).rejects.toMatchObject(required);
    const first = await world.signIn();
    expect((await gateway.authorize()).value).toBe(`Bearer ${first.accessToken}`);
    const second = await world.signIn();
    expect((await gateway.authorize()).value).toBe(`Bearer ${second.accessToken}`);
    await rm(world.file);
    await expect(gateway.authorize()).rejects.toMatchObject(required);
  });

  it.each([
    ['another client', { clientId: 'other' }],
    ['another token endpoint', { tokenUrl: 'https://evil.example/token' }],
  ])('goes to nobody else: %s', async (_what, settings) => {
    const world = await signingIn();
    await world.keep({ refreshToken: 'refresh-kept', expiresAt: 1 });
    await expect(world.gateway(settings).authorize()).rejects.toMatchObject(required);
    expect(world.oauth.grants).toEqual([]);
  });

  it('in a file that others can read is not used', async () => {
    const world = await signingIn();
    await world.signIn();
    await chmod(world.file, 0o644);
    await expect(world.gateway().authorize()).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
