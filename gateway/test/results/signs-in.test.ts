import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { normalizeResult } from '../../src/results/index.ts';
import { signsIn } from '../../src/results/signs-in.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';

const withInput = (method: string, path: string, properties: JsonObject) =>
  operationOf({ method, path }, { id: 'op', access: 'write', input: { type: 'object', properties } });
const text = { type: 'string' };

describe('an operation that signs in', () => {
  it.each<[string, string, JsonObject]>([
    ['POST', '/api/auth/login', { username: text, password: text }],
    [
      'POST',
      '/auth/simple/login',
      { body: { type: 'object', properties: { name: text, passphrase: text } } },
    ],
    ['POST', '/oauth/token', { grant_type: text, password: text }],
    ['PUT', '/sessions', { user: text, pin: text }],
    ['POST', '/authenticateUser', { otp: text }],
    [
      'POST',
      '/auth/tokens',
      {
        auth: {
          properties: { identity: { properties: { methods: {}, password: { properties: { user: {} } } } } },
        },
      },
    ],
    ['POST', '/users/{id}/password', { user: { properties: { original_password: text, password: text } } }],
    ['PUT', '/me', { currentPassword: text }],
  ])('%s %s', (method, path, properties) => {
    expect(signsIn(withInput(method, path, properties))).toBe(true);
  });

  it.each<[string, string, JsonObject]>([
    ['POST', '/users', { name: text, password: text }],
    ['POST', '/auth/login', { code: text }],
    ['POST', '/tokens', { name: text }],
    ['DELETE', '/sessions/{id}', { id: text }],
    ['POST', '/users/{id}/password', { password: text }],
  ])('is not %s %s with %j', (method, path, properties) => {
    expect(signsIn(withInput(method, path, properties))).toBe(false);
  });

  it.each([401, 403])('is told by %s to correct what it was given, and not to try on', async (status) => {
    const answer = {
      kind: 'http',
      status,
      headers: {},
      body: new Uint8Array(),
      url: 'http://a.test/',
      attempts: 1,
    };
    const next = async (path: string, facts: object = {}) => {
      const operation = withInput('POST', path, { password: text });
      const result = await normalizeResult({ ...answer, ...facts } as never, operation, {
        maxText: 1000,
      } as never);
      return result.kind === 'completed' ? result.error?.next : undefined;
    };
    expect(await next('/login')).toMatch(/^The service refuses the name, password or code in the arguments/);
    expect(await next('/login')).toMatch(/the operator checks the credential of this source\.$/);
    expect(await next('/login', { renewed: true })).toMatch(/call once more: .* signs in anew\.$/);
    expect(await next('/pets')).not.toMatch(/password/);
  });
});
