import { expect, test } from 'vitest';
import { startLever } from '../doubles/lever.ts';
import { connectProvider } from '../providers/provider-client.ts';

const OTHER = '8d49b010-cc6a-4f40-ace5-e86061c677ed';

test('a proxied request acts as whom the caller is mapped to, and says nothing of it', async () => {
  const double = await startLever({ users: ['me', OTHER] });
  const provided = await connectProvider('lever', double, { actingUser: 'me', rawProxy: true });
  try {
    const send = async (path: string, query?: object) => {
      const response = await fetch(new URL('/api/v1/ats/proxy', provided.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'lever', method: 'POST', path, query, body: { name: 'Ada' } }),
      });
      return response.status;
    };
    expect(await send(`/opportunities?perform_as=${OTHER}`)).toBe(400);
    expect(await send('/opportunities', { perform_as: OTHER })).toBe(400);
    expect(await send('/opportunities', { 'Perform_As[]': OTHER })).toBe(400);
    expect(await send(`/unknown/place?perform%5Fas=${OTHER}`)).toBe(400);
    expect(double.requests).toEqual([]);
    expect(await send('/opportunities')).toBe(200);
    expect(double.requests.map(({ query }) => query)).toEqual([[['perform_as', 'me']]]);
  } finally {
    await provided[Symbol.asyncDispose]();
    await double.close();
  }
});
