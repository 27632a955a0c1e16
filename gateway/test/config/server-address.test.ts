import { describe, expect, it } from 'vitest';
import {
  configurationForDocuments,
  isLoopbackHost,
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
