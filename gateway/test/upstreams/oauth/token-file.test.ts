import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { remote } from '../remote.ts';
import { guarded, signedIn } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);

/** A world with a sign-in in a file. */
async function kept(registered: Record<string, unknown> = {}) {
  const world = await guarded();
  world.oauth.behaviour.registered = registered;
  const settings = { tokenFile: `${world.folder}/remote.json` };
  const signIns = await signedIn(world, settings);
  const sourceOf = (of = world.signIns()) => of.tokensFor(world.definition(settings))!;
  return { world, settings, signIns, sourceOf };
}

it.each(['server', 'issuer', 'resource', 'tokenEndpoint', 'accessToken', 'client'])(
  'a file without %s holds no sign-in',
  async (name) => {
    const { settings, sourceOf } = await kept();
    const { [name]: _left, ...rest } = JSON.parse(await readFile(settings.tokenFile, 'utf8'));
    await writeFile(settings.tokenFile, JSON.stringify(rest));
    await expect(sourceOf().current(signal())).rejects.toMatchObject({ code: 'configuration_invalid' });
  },
);

it('a sign-in asks for the scopes that calls of other processes missed', async () => {
  const { world, settings, signIns, sourceOf } = await kept();
  const source = sourceOf();
  const token = await source.current(signal());
  await expect(source.steppedUp(token, { scopes: ['write'] }, signal())).rejects.toThrow();
  const onUrl = async (url: string) => void (await world.oauth.agree(url));
  const { scopes } = await signIns.signIn(world.definition(settings), { onUrl, signal: signal() });
  expect(scopes).toEqual(['tools:read', 'write']);
});

it('a client that was registered with a secret shows it in every process as in the first, and no log does', async () => {
  const { world, sourceOf } = await kept({
    client_id: 'given',
    client_secret: 's3cret-of-client',
    token_endpoint_auth_method: 'client_secret_post',
  });
  world.announced.clear();
  const source = sourceOf();
  await source.renewed(await source.current(signal()), {}, signal());
  expect(world.oauth.grants[1]).toMatchObject({ client_id: 'given', client_secret: 's3cret-of-client' });
  expect(world.announced).toContain('s3cret-of-client');
});

it('the secret of a client is read from the configuration each time', async () => {
  const world = await guarded();
  const settings = {
    tokenFile: `${world.folder}/remote.json`,
    clientId: { env: 'CLIENT_ID' },
    clientSecret: { env: 'CLIENT_SECRET' },
  };
  await signedIn(world, settings);
  const source = world.signIns().tokensFor(world.definition(settings))!;
  await source.renewed(await source.current(signal()), {}, signal());
  const [first, second] = world.oauth.grants.map(({ authorization }) => authorization);
  expect(second).toMatch(/^Basic /);
  expect(second).toBe(first);
});

it('the sign-in at an authorization server that the configuration does not name is not used', async () => {
  const { world, settings } = await kept();
  const definition = world.definition({ ...settings, issuer: 'https://login.example' });
  expect(await world.signIns().tokensFor(definition)!.current(signal())).toBeUndefined();
  const same = world.definition({ ...settings, issuer: `${world.oauth.origin}/` });
  expect(await world.signIns().tokensFor(same)!.current(signal())).toBeDefined();
});

it('a token is not given to another address that has the name of its server', async () => {
  const world = await guarded();
  const signIns = await signedIn(world);
  expect(await signIns.tokensFor(world.definition())!.current(signal())).toBeDefined();
  const moved = remote(`${world.server.origin}/other`);
  expect(await signIns.tokensFor(moved)!.current(signal())).toBeUndefined();
});

it('whoever removes the file has signed out, also of a process that has the tokens in memory', async () => {
  const { world, settings, signIns, sourceOf } = await kept();
  const [source, other] = [sourceOf(signIns), sourceOf()];
  const token = await source.current(signal());
  await other.current(signal());
  await rm(settings.tokenFile);
  expect(await source.current(signal())).toBeUndefined();
  await expect(other.renewed(token, {}, signal())).rejects.toMatchObject({ code: 'authorization_required' });
  expect(await signIns.status(world.definition(settings))).toBeUndefined();
  expect(world.oauth.grants).toHaveLength(1);
  expect(await readdir(world.folder)).toEqual([]);
  // and may sign in again
  await signedIn(world, settings);
  expect(await source.current(signal())).toBeDefined();
});

it('whoever signs in anew is who is meant from then on, also in a process whose token is good', async () => {
  const { world, settings, signIns, sourceOf } = await kept();
  const source = sourceOf(signIns);
  const before = await source.current(signal());
  await signedIn(world, settings);
  const { accessToken } = JSON.parse(await readFile(settings.tokenFile, 'utf8'));
  expect(await source.current(signal())).toBe(accessToken);
  expect(accessToken).not.toBe(before);
  // what is no file of its own from then on is said, and nothing is sent by the old sign-in
  await writeFile(settings.tokenFile, 'x');
  await expect(source.current(signal())).rejects.toMatchObject({ code: 'configuration_invalid' });
});

it('a renewal under way is not brought to the authorization server once the file is removed', async () => {
  const { world, settings, signIns, sourceOf } = await kept();
  const source = sourceOf(signIns);
  const token = await source.current(signal());
  world.oauth.revoke('access');
  // another process has the file
  await writeFile(`${settings.tokenFile}.lock`, 'another');
  const renewed = source.renewed(token, {}, signal());
  renewed.catch(() => {});
  await rm(settings.tokenFile);
  await rm(`${settings.tokenFile}.lock`);
  await expect(renewed).rejects.toMatchObject({ code: 'authorization_required' });
  expect(world.oauth.grants).toHaveLength(1);
});
