import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForAnswer } from '../../../src/credentials/sign-in/loopback-listener.ts';

/** A listener that waits for the answer with our state, and what it has taken so far. */
async function waiting() {
  const listener = await listenForAnswer();
  const ending = new AbortController();
  const answered: Record<string, string>[] = [];
  const answer = listener.answer((state) => state === 'ours', ending.signal);
  const done = answer.then((parameters) => void answered.push(Object.fromEntries(parameters)));
  done.catch(() => undefined);
  onTestFinished(() => listener.close());
  const { origin, host } = new URL(listener.redirectUri);
  return { listener, answered, answer, ending, origin, host };
}

/** Status of a request whose host may be another than the address. */
function ask(address: string, options: { readonly method?: string; readonly host?: string } = {}) {
  const { method = 'GET', host = new URL(address).host } = options;
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(address, { method, headers: { host } }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('the answer to a sign-in', () => {
  it('is what the browser brings to the address that was named', async () => {
    const { listener, answer } = await waiting();
    expect(await ask(`${listener.redirectUri}?state=ours&code=one`)).toBe(200);
    expect(Object.fromEntries(await answer)).toEqual({ state: 'ours', code: 'one' });
  });

  // Linux alone gives a machine the whole of 127.0.0.0/8
  it.skipIf(process.platform !== 'linux')('comes to 127.0.0.1 and no other address', async () => {
    const { listener } = await waiting();
    const { host, port } = new URL(listener.redirectUri);
    await expect(
      ask(`http://127.0.0.2:${port}/callback?state=ours&code=one`, { host }),
    ).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('is the first one, whatever comes after it', async () => {
    const { listener, answer } = await waiting();
    expect(listener.offer(`${listener.redirectUri}?state=ours&code=one`)).toBe(true);
    await ask(`${listener.redirectUri}?state=ours&code=two`);
    expect((await answer).get('code')).toBe('one');
  });

  it.each<[string, string, object, number]>([
    ['another path', '/other?state=ours&code=one', {}, 404],
    ['another method', '/callback?state=ours&code=one', { method: 'POST' }, 404],
    ['a name that was not given out', '/callback?state=ours&code=one', { host: 'evil.example' }, 404],
    ['another state', '/callback?state=guessed&code=one', {}, 400],
    ['no state', '/callback?code=one', {}, 400],
    ['two codes', '/callback?state=ours&code=one&code=two', {}, 400],
    ['two states', '/callback?state=ours&state=guessed&code=one', {}, 400],
    ['two issuers', '/callback?state=ours&code=one&iss=a&iss=b', {}, 400],
    ['an error twice', '/callback?state=ours&error=a&error=b', {}, 400],
  ])('is none with %s', async (_, target, options, status) => {
    const { origin, answered } = await waiting();
    expect(await ask(`${origin}${target}`, options)).toBe(status);
    expect(answered).toEqual([]);
  });

  it('is none before somebody waits for it', async () => {
    const listener = await listenForAnswer();
    onTestFinished(() => listener.close());
    expect(await ask(`${listener.redirectUri}?state=&code=one`)).toBe(400);
  });

  it('ends with who waits', async () => {
    const { answer, ending } = await waiting();
    ending.abort(new Error('given up'));
    await expect(answer).rejects.toThrow('given up');
    const late = await listenForAnswer();
    onTestFinished(() => late.close());
    await expect(late.answer(() => true, ending.signal)).rejects.toThrow('given up');
  });
});

describe('the address that a browser on another machine ended at', () => {
  it('is taken as it was copied', async () => {
    const { listener, answer } = await waiting();
    expect(listener.offer(`  ${listener.redirectUri}?state=ours&code=one\n`)).toBe(true);
    expect((await answer).get('code')).toBe('one');
  });

  it.each<[string, (origin: string) => string]>([
    ['another origin', () => 'http://127.0.0.1:1/callback?state=ours&code=one'],
    ['another path', (origin) => `${origin}/other?state=ours&code=one`],
    ['another state', (origin) => `${origin}/callback?state=guessed&code=one`],
    ['two codes', (origin) => `${origin}/callback?state=ours&code=one&code=two`],
    ['no address', () => 'code one'],
    ['nothing', () => ''],
  ])('is no answer with %s', async (_, address) => {
    const { listener, answered, origin } = await waiting();
    expect(listener.offer(address(origin))).toBe(false);
    expect(answered).toEqual([]);
  });
});
