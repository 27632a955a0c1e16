import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { guarded, signedIn } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);

async function kept(more: UpstreamOAuth = {}, registered: Record<string, unknown> = {}) {
  const world = await guarded();
  world.oauth.behaviour.registered = registered;
  const settings = { tokenFile: `${world.folder}/remote.json`, ...more };
  const running = await signedIn(world, settings);
  const signOut = (changes: UpstreamOAuth = {}, local = false) =>
    world.signIns().signOut(world.definition({ ...settings, ...changes }), { local, signal: signal() });
  const record = async () => JSON.parse(await readFile(settings.tokenFile, 'utf8'));
  return { world, settings, running, signOut, record };
}

it('ends the tokens as the client that registered itself, and running gateways have none', async () => {
  const { world, settings, running, signOut, record } = await kept();
  const { accessToken, refreshToken, client } = await record();
  expect(await signOut()).toEqual({ signedOut: true, revoked: true });
  expect(world.oauth.revocations).toEqual([
    { token: refreshToken, token_type_hint: 'refresh_token', client_id: client.id },
    { token: accessToken, token_type_hint: 'access_token', client_id: client.id },
  ]);
  expect(await readdir(world.folder)).toEqual([]);
  expect(await running.tokensFor(world.definition(settings))!.current(signal())).toBeUndefined();
  expect(await signOut()).toEqual({ signedOut: false, revoked: false });
});

it('shows a secret as the revocation endpoint wants it', async () => {
  const { world, signOut } = await kept({
    clientId: { env: 'CLIENT_ID' },
    clientSecret: { env: 'CLIENT_SECRET' },
  });
  world.oauth.behaviour.metadata = {
    revocation_endpoint_auth_methods_supported: ['client_secret_post'],
  };
  await signOut();
  expect(world.oauth.revocations[0]).toMatchObject({
    client_id: 'known-client',
    client_secret: 'known secret',
  });
});

it.each<[string, (changed: { origin: string }) => UpstreamOAuth, object]>([
  ['issuer', () => ({ issuer: 'https://login.example' }), {}],
  ['client', () => ({ clientId: { env: 'CLIENT_ID' } }), {}],
  ['server', () => ({}), { server: 'https://mcp.example/mcp' }],
])('sends nothing for a sign-in at another %s, unless it is local', async (_what, changes, changed) => {
  const { world, settings, signOut, record } = await kept();
  await writeFile(settings.tokenFile, JSON.stringify({ ...(await record()), ...changed }));
  await expect(signOut(changes(world.oauth))).rejects.toMatchObject({
    code: 'authorization_required',
    next: expect.stringContaining('toolcrib logout remote --local'),
  });
  expect(world.oauth.revocations).toEqual([]);
  expect(await readdir(world.folder)).toEqual(['remote.json']);
  expect(await signOut(changes(world.oauth), true)).toEqual({ signedOut: true, revoked: false });
  expect(await readdir(world.folder)).toEqual([]);
});

it('removes the file where the authorization server names no address for it', async () => {
  const { world, signOut } = await kept();
  world.oauth.behaviour.revokes = false;
  expect(await signOut()).toEqual({ signedOut: true, revoked: false });
  expect(await readdir(world.folder)).toEqual([]);
});

it('keeps the file where the server does not end the tokens', async () => {
  const { world, signOut } = await kept();
  world.oauth.behaviour.isAway = true;
  await expect(signOut()).rejects.toMatchObject({ next: expect.stringContaining('Nothing was removed') });
  expect(await readdir(world.folder)).toEqual(['remote.json']);
});

it('has nothing to end where no file is named', async () => {
  const world = await guarded();
  await expect(
    world.signIns().signOut(world.definition(), { local: false, signal: signal() }),
  ).rejects.toMatchObject({ code: 'configuration_invalid', next: expect.stringContaining('tokenFile') });
});
