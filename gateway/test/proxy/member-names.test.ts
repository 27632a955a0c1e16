import { expect, test } from 'vitest';
import { startLever } from '../doubles/lever.ts';
import { connectProvider } from '../providers/provider-client.ts';

test('a query in the path with names of members that every object has goes out as it is written', async () => {
  const double = await startLever({ users: ['me'] });
  const provided = await connectProvider('lever', double, { actingUser: 'me', rawProxy: true });
  try {
    const path = '/opportunities?constructor=a&__proto__=b&toString=c&toString=d';
    await fetch(new URL('/api/v1/ats/proxy', provided.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'lever', method: 'GET', path, query: { constructor: 'e' } }),
    });
    // the provider knows none of them, and says so
    expect(double.requests.at(-1)?.query).toEqual([
      ['constructor', 'e'],
      ['constructor', 'a'],
      ['__proto__', 'b'],
      ['toString', 'c'],
      ['toString', 'd'],
    ]);
  } finally {
    await provided[Symbol.asyncDispose]();
    await double.close();
  }
});
