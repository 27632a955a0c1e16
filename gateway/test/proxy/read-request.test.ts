import { expect, it } from 'vitest';
import { readProxyRequest } from '../../src/proxy/read-request.ts';

it.each(['GET', 'HEAD'])('a body with %s is refused, since it would be left out', (method) => {
  const given = { provider: 'lever', method, path: '/opportunities' };
  expect(readProxyRequest({ ...given, body: { limit: 5 } })).toMatchObject({
    status: 400,
    message: 'Invalid field: body must be left out with GET and HEAD, which carry none',
  });
  // as clients write that there is none
  for (const body of [null, {}, ''])
    expect(readProxyRequest({ ...given, body })).toMatchObject({ method, path: '/opportunities' });
});
