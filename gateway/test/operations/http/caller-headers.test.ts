import { expect, it } from 'vitest';
import { isBeyondArguments } from '../../../src/operations/http/caller-headers.ts';

it.each([
  ...['Authorization', 'COOKIE', 'Cookie2', 'Set-Cookie', 'Host', 'content-length', 'Transfer-Encoding'],
  ...['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Expect', 'HTTP2-Settings', 'Accept'],
  ...['Content-Type', 'X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override'],
  ...['Proxy-Authorization', 'proxy-anything'],
])('no argument sets %s', (name) => {
  expect(isBeyondArguments(name)).toBe(true);
});

it.each(['X-Api-Key', 'If-Match', 'Accept-Language', 'Proxy', 'X-Cookie', 'constructor'])(
  'arguments may set %s',
  (name) => {
    expect(isBeyondArguments(name)).toBe(false);
  },
);
