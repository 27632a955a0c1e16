import { describe, expect, it } from 'vitest';
import { createProviderSignIn } from '../../../src/assembly/access/provider-sign-in.ts';
import type { Egress } from '../../../src/egress/egress.ts';

const ISSUER = 'https://id.example';
const BACK = 'https://tools.example/sign-in/answer';
const MINUTE = 60_000;

/** A provider whose metadata come when the test says so. */
function provider(authorizationParameters?: Record<string, string>) {
  let time = 0;
  let metadata: object = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
  };
  const asked: string[] = [];
  const ages: unknown[] = [];
  let held: Promise<void> = Promise.resolve();
  const egress = {
    async request({ url }: { url: string }) {
      asked.push(url);
      await held;
      if (url === `${ISSUER}/token`) {
        const token = { access_token: 'a', token_type: 'Bearer', id_token: 'who' };
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(token)) };
      }
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(metadata)) };
    },
  } as unknown as Egress;
  const signIn = createProviderSignIn({
    issuer: ISSUER,
    client: {
      clientId: 'console',
      scopes: ['openid'],
      name: 'Acme',
      ...(authorizationParameters === undefined ? {} : { authorizationParameters }),
    },
    clientId: async () => 'console',
    egress,
    readSecret: async () => '',
    users: {
      async referSignedIn(_token, { maxAge }) {
        ages.push(maxAge);
        throw new Error('Nobody comes so far.');
      },
    },
    now: () => time,
  });
  return {
    begin: (signal: AbortSignal = new AbortController().signal) => signIn.begin(BACK, signal),
    answered: () =>
      signIn.finish(
        { parameters: new URLSearchParams({ code: 'c' }), verifier: 'v', nonce: 'n', redirectUri: BACK },
        new AbortController().signal,
      ),
    ages,
    asked,
    pass: (ms: number) => {
      time += ms;
    },
    publish: (changed: object) => {
      metadata = { ...metadata, ...changed };
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}

describe('where people sign in is asked of the provider', () => {
  it('once for everybody who waits', async () => {
    const { begin, asked, hold } = provider();
    const release = hold();
    const waiting = Array.from({ length: 50 }, () => begin());
    release();
    const begun = await Promise.all(waiting);
    expect(asked).toHaveLength(1);
    // each is another sign-in
    expect(new Set(begun.map(({ kept }) => kept.state)).size).toBe(50);
  });

  it('also where the first of them goes away', async () => {
    const { begin, asked, hold } = provider();
    const release = hold();
    const first = new AbortController();
    const gone = begin(first.signal);
    const stays = begin();
    first.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    expect((await stays).address).toContain(`${ISSUER}/authorize?`);
    expect(asked).toHaveLength(1);
  });

  it('again after ten minutes', async () => {
    const { begin, asked, pass, publish } = provider();
    await begin();
    publish({ authorization_endpoint: `${ISSUER}/other` });
    pass(10 * MINUTE - 1);
    expect((await begin()).address).toContain(`${ISSUER}/authorize?`);
    pass(1);
    expect((await begin()).address).toContain(`${ISSUER}/other?`);
    expect(asked).toHaveLength(2);
  });

  it('again a second after it could not be told, and no sooner', async () => {
    const { begin, asked, pass, publish } = provider();
    publish({ token_endpoint: 'ftp://id.example' });
    await expect(begin()).rejects.toMatchObject({ code: 'credentials_refused' });
    publish({ token_endpoint: `${ISSUER}/token` });
    pass(999);
    await expect(begin()).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(asked).toHaveLength(1);
    pass(1);
    expect((await begin()).kept).toBeDefined();
    expect(asked).toHaveLength(2);
  });
});

it.each([
  ['3600', 3600],
  ['0', 0],
  ['-1', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  [' 5', undefined],
  ['', undefined],
  [undefined, undefined],
])('asked for as max_age %j, a sign-in may be %s s old', async (asked, seconds) => {
  const { answered, ages } = provider(asked === undefined ? { prompt: 'login' } : { max_age: asked });
  await expect(answered()).rejects.toThrow('Nobody comes so far.');
  expect(ages).toEqual([seconds]);
});
