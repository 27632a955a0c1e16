import type { SecureContext } from 'node:tls';
import { expect, it } from 'vitest';
import { createDestinationCheck } from '../../src/egress/destination.ts';
import { redirected } from '../../src/egress/redirects.ts';
import type { WireRequest } from '../../src/egress/wire-request.ts';

const check = createDestinationCheck();
const FIRST: WireRequest = {
  url: new URL('https://api.example.com/v1/a'),
  method: 'GET',
  headers: ['Authorization', 'Bearer t', 'Accept', 'application/json'],
  body: undefined,
  credentialHeaders: ['authorization'],
  socketPath: undefined,
  tls: { id: 'client', context: {} as SecureContext },
};
const follow = (location: string, changes: Partial<WireRequest> = {}, status = 307) =>
  redirected({ ...FIRST, ...changes }, { status, location }, check);

it.each(['/v1/b', 'https://api.example.com:443/v1/b', 'https://API.example.com/v1/b'])(
  '%s is the same origin: credential and certificate go along',
  (location) => {
    const { url, headers, tls } = follow(location);
    expect(url.href).toBe('https://api.example.com/v1/b');
    expect({ headers, tls }).toEqual({ headers: FIRST.headers, tls: FIRST.tls });
  },
);

it.each([
  'http://api.example.com/v1/b',
  'https://api.example.com:8443/v1/b',
  'https://api.example.com.evil.example/v1/b',
  '//evil.example/v1/b',
])('%s is another origin: neither goes there, and no write', (location) => {
  const { headers, tls } = follow(location);
  expect({ headers, tls }).toEqual({ headers: ['Accept', 'application/json'], tls: undefined });
  const write = { method: 'POST', body: Buffer.from('{}') };
  expect(() => follow(location, write)).toThrow('a write is not repeated at another origin');
  expect(() => follow(location, { method: 'DELETE' })).toThrow('a write is not repeated at another origin');
});

it('a target that is written in UTF-8, as many servers do, is that target', () => {
  const bytes = Buffer.from('/v1/café').toString('latin1');
  expect(follow(bytes).url.pathname).toBe('/v1/caf%C3%A9');
});
