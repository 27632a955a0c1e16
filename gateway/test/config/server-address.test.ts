import { describe, expect, it } from 'vitest';
import {
  configurationForDocuments,
  isLoopbackHost,
  localAddress,
  requireTokenBeyondLoopback,
} from '../../src/config/index.ts';

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['localhost', true],
    ['app.localhost', true],
    ['::1', true],
    ['[::1]', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.0.0.1.example.test', false],
    ['192.168.1.1', false],
  ])('%s: %s', (host, loopback) => {
    expect(isLoopbackHost(host)).toBe(loopback);
  });

  it('any other host needs a token', () => {
    const { server } = configurationForDocuments([], { env: {}, cwd: '/' });
    expect(() => requireTokenBeyondLoopback(server)).not.toThrow();
    expect(() => requireTokenBeyondLoopback({ ...server, host: '0.0.0.0' })).toThrow(/there is no token/);
    expect(() => requireTokenBeyondLoopback({ ...server, host: '0.0.0.0', token: 't' })).not.toThrow();
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8787'],
  ['gateway.test', 'http://gateway.test:8787'],
  ['0.0.0.0', 'http://127.0.0.1:8787'],
  ['::', 'http://127.0.0.1:8787'],
  ['::1', 'http://[::1]:8787'],
  ['[::1]', 'http://[::1]:8787'],
])('a server that listens on %s is reached at %s', (host, address) => {
  expect(localAddress({ host, port: 8787 })).toBe(address);
});
