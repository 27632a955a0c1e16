import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGreenhouse } from './greenhouse.ts';
import { startGreenhouseV3 } from './greenhouse-v3.ts';
import { startLever } from './lever.ts';
import { fixedWindow, rollingWindow, tokenBucket } from './rate-window.ts';
import { startZohoRecruit, zohoToken } from './zoho-recruit.ts';

describe('the doubles', () => {
  it('import nothing of what they are there to check', async () => {
    const folder = import.meta.dirname;
    const files = await readdir(folder, { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(sources.length).toBeGreaterThan(10);
    for (const file of sources) {
      const text = await readFile(join(folder, file), 'utf8');
      expect([file, /(?:from|import)\s*\(?\s*['"][^'"]*\/src\//.test(text)]).toEqual([file, false]);
    }
  });
});

describe('limiters', () => {
  const outcomes = (limiter: ReturnType<typeof rollingWindow>, times: readonly number[]) =>
    times.map((at) => (limiter('key', at).allowed ? 'yes' : 'no'));

  it('a rolling window counts back from each request', () => {
    expect(outcomes(rollingWindow(2, 100), [0, 60, 90, 101, 102, 161])).toEqual([
      'yes',
      'yes',
      'no',
      'yes',
      'no',
      'yes',
    ]);
  });

  it('a fixed window starts anew at its multiples', () => {
    expect(outcomes(fixedWindow(2, 100), [60, 90, 99, 100, 101, 102])).toEqual([
      'yes',
      'yes',
      'no',
      'yes',
      'yes',
      'no',
    ]);
  });

  it('a token bucket takes a burst and fills again', () => {
    expect(outcomes(tokenBucket(1, 100, 2), [0, 0, 0, 100, 101])).toEqual(['yes', 'yes', 'no', 'yes', 'no']);
  });

  it('count each key for itself', () => {
    const limiter = rollingWindow(1, 100);
    expect([limiter('a', 0).allowed, limiter('b', 0).allowed, limiter('a', 1).allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what the doubles refuse', () => {
  const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });

  it('greenhouse: the key without its colon, a password, a write without acting user', async () => {
    await using double = disposable(await startGreenhouse());
    const get = (headers: Record<string, string>) => fetch(`${double.url}/candidates`, { headers });
    expect((await get({})).status).toBe(401);
    expect((await get(basic('greenhouse-key'))).status).toBe(401);
    expect((await get(basic('greenhouse-key:x'))).status).toBe(401);
    expect((await get(basic('greenhouse-key:'))).status).toBe(200);
    const write = await fetch(`${double.url}/applications/69306314/unreject`, {
      method: 'POST',
      headers: basic('greenhouse-key:'),
    });
    expect(write.status).toBe(403);
  });

  it('greenhouse: the 51st request in ten seconds, with the headers that say so', async () => {
    await using double = disposable(await startGreenhouse());
    const get = () => fetch(`${double.url}/sources`, { headers: basic('greenhouse-key:') });
    for (let count = 1; count <= 50; count++) {
      const { status, headers } = await get();
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(50 - count)]);
    }
    const { status, headers } = await get();
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-limit')).toBe('50');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('greenhouse-v3: anything but a token of its own, and a cursor in company', async () => {
    await using double = disposable(await startGreenhouseV3());
    expect((await fetch(`${double.url}/jobs`, { headers: basic('key:') })).status).toBe(401);
    expect((await fetch(`${double.url}/nothing`)).status).toBe(404);
    const granted = await fetch(double.tokenUrl, {
      method: 'POST',
      headers: basic('gh-client:gh-secret'),
      body: new URLSearchParams({ grant_type: 'client_credentials', sub: '7' }),
    });
    const { access_token: token, expires_in: seconds } = (await granted.json()) as Record<string, string>;
    expect(seconds).toBe(3600);
    const headers = { authorization: `Bearer ${token}` };
    const first = await fetch(`${double.url}/jobs?per_page=1`, { headers });
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)!;
    expect((await fetch(`${next}&per_page=1`, { headers })).status).toBe(422);
    expect((await fetch(next!, { headers })).status).toBe(200);
  });

  it.each([
    ['a wrong secret', 'gh-client:no', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
    ['another grant', 'gh-client:gh-secret', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('greenhouse-v3 tokens: %s', async (_what, pair, form, status, error) => {
    await using double = disposable(await startGreenhouseV3());
    const body = new URLSearchParams(form);
    const answer = await fetch(double.tokenUrl, { method: 'POST', headers: basic(pair), body });
    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });

  it('zoho-recruit: the word Bearer, and a token of another data centre', async () => {
    await using double = disposable(await startZohoRecruit({ region: 'eu' }));
    const get = (authorization: string) =>
      fetch(`${double.url}/Candidates`, { headers: { authorization } }).then(({ status }) => status);
    expect(await get(`Bearer ${zohoToken('eu')}`)).toBe(401);
    expect(await get(`Zoho-oauthtoken ${zohoToken('us')}`)).toBe(401);
    expect(await get(`Zoho-oauthtoken ${zohoToken('eu')}`)).toBe(200);
  });

  it('zoho-recruit: a bare record; of two wrapped ones each has its own outcome', async () => {
    await using double = disposable(await startZohoRecruit());
    const post = (body: object) =>
      fetch(`${double.url}/Candidates`, {
        method: 'POST',
        headers: {
          authorization: `Zoho-oauthtoken ${zohoToken('us')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    expect((await post({ Last_Name: 'Kapoor' })).status).toBe(400);
    const mixed = await post({ data: [{ Last_Name: 'Kapoor' }, { First_Name: 'Dev' }] });
    const { data } = (await mixed.json()) as { data: { status: string }[] };
    expect([mixed.status, data.map(({ status }) => status)]).toEqual([207, ['success', 'error']]);
  });

  it('lever: a write that needs perform_as without it, a parameter that it does not know', async () => {
    await using double = disposable(await startLever());
    const headers = { ...basic('lever-key:'), 'content-type': 'application/json' };
    const create = (query: string) =>
      fetch(`${double.url}/opportunities${query}`, { method: 'POST', headers, body: '{"name":"A"}' });
    expect((await create('')).status).toBe(400);
    expect((await create('?perform_as=8d49b010-cc6a-4f40-ace5-e86061c677ed')).status).toBe(201);
    expect((await fetch(`${double.url}/tags?nope=1`, { headers })).status).toBe(400);
  });
});

function disposable<Double extends { close(): Promise<void> }>(double: Double): Double & AsyncDisposable {
  return { ...double, [Symbol.asyncDispose]: () => double.close() };
}
