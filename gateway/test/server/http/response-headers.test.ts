import { describe, expect, it } from 'vitest';
import { createGuards } from '../../../src/server/http/guards.ts';
import { finish, preflight } from '../../../src/server/http/response-headers.ts';

const PAGE = 'https://app.example.com';
const guards = createGuards({ allowedHosts: [], allowedOrigins: [PAGE] });
const request = (headers: Record<string, string> = {}, method = 'GET') =>
  new Request('http://127.0.0.1:8787/api/v1/tools', { method, headers });
const finished = (given: Record<string, string>, asked: Record<string, string> = {}) =>
  Object.fromEntries(finish(new Response(null, { headers: given }), request(asked), guards).headers);

describe('an answer', () => {
  const SAFE = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };

  it.each([{}, { origin: 'http://localhost:3000' }])('is kept by nobody and shown nowhere: %j', (asked) => {
    expect(finished({}, asked)).toEqual(SAFE);
  });

  it('of a page of ours has its own rules, and no other way into a frame', () => {
    const own = {
      'content-security-policy': "script-src 'self'",
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, no-cache',
    };
    expect(finished({ ...own, 'x-frame-options': 'SAMEORIGIN', 'x-content-type-options': 'x' })).toEqual({
      ...SAFE,
      ...own,
    });
  });

  it('is read by pages of the configuration, each by itself', () => {
    const { vary, ...headers } = finished({ vary: 'accept' }, { origin: PAGE });
    expect(vary).toBe('accept, origin');
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': expect.stringMatching(/mcp-session-id.*etag, content-range/),
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(finished({}, { origin: PAGE })['vary']).toBe('origin');
  });
});

describe('a preflight', () => {
  const ASKING = { origin: PAGE, 'access-control-request-method': 'PUT' };

  it('of a page of the configuration allows what it asks for', () => {
    const headers = { ...ASKING, 'access-control-request-headers': 'authorization' };
    const answer = preflight(request(headers, 'OPTIONS'), guards);
    expect([answer?.status, Object.fromEntries(answer!.headers)]).toEqual([
      204,
      {
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization',
        'access-control-max-age': '600',
      },
    ]);
    const without = preflight(request(ASKING, 'OPTIONS'), guards);
    expect(without?.headers.get('access-control-allow-headers')).toBe('');
  });

  it.each([
    ['GET', ASKING],
    ['OPTIONS', { origin: PAGE }],
    ['OPTIONS', { 'access-control-request-method': 'PUT' }],
    ['OPTIONS', { ...ASKING, origin: 'https://evil.example.com' }],
  ])('is no %s with %j', (method, headers) => {
    expect(preflight(request(headers, method), guards)).toBeUndefined();
  });
});
