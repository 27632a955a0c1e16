import { describe, expect, it } from 'vitest';
import { authorizationAddress } from '../../../src/credentials/sign-in/authorization-request.ts';

const asked = { redirectUri: 'http://127.0.0.1:9/callback', state: 'ours', challenge: 'hash' };
const queryOf = (request: Partial<Parameters<typeof authorizationAddress>[0]>) => {
  const endpoint = 'https://login.example/authorize?tenant=one';
  return new URL(authorizationAddress({ endpoint, clientId: 'crib', scopes: [], ...request }, asked))
    .searchParams;
};

describe('the address that a person is sent to', () => {
  it('keeps the query of the endpoint, and says what the standard wants', () => {
    expect(
      Object.fromEntries(queryOf({ scopes: ['a', 'b'], target: { resource: 'https://api.example' } })),
    ).toEqual({
      tenant: 'one',
      response_type: 'code',
      client_id: 'crib',
      redirect_uri: 'http://127.0.0.1:9/callback',
      state: 'ours',
      code_challenge: 'hash',
      code_challenge_method: 'S256',
      scope: 'a b',
      resource: 'https://api.example',
    });
  });

  it.each<[string, string[], Record<string, string> | undefined, string | null]>([
    ['for a refresh token by offline_access', ['openid', 'offline_access'], undefined, 'consent'],
    ['not without it', ['openid'], undefined, null],
    [
      'unless the operator wants another page',
      ['offline_access'],
      { prompt: 'select_account' },
      'select_account',
    ],
    ['unless the operator wants none', ['offline_access'], { prompt: '' }, null],
  ])('asks for consent %s', (_, scopes, parameters, prompt) => {
    expect(queryOf({ scopes, parameters }).get('prompt')).toBe(prompt);
  });

  // Glewlwyd 2.7.5 answers `error=invalid_request&error_description=nonce+required` without one
  it('has a nonce for OpenID Connect, another one each time', () => {
    const nonces = [1, 2].map(() => queryOf({ scopes: ['openid'] }).get('nonce'));
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]).toMatch(/^[\w-]{22,}$/);
    expect(queryOf({ scopes: ['events.read'] }).has('nonce')).toBe(false);
    expect(queryOf({ scopes: ['openid'], parameters: { nonce: '' } }).has('nonce')).toBe(false);
  });

  it('lets nobody replace what the standard says', () => {
    const parameters = { state: 'mine', code_challenge: '', resource: 'https://evil.example' };
    const query = queryOf({ parameters, target: { resource: 'https://api.example' } });
    expect([query.get('state'), query.get('code_challenge'), query.get('resource')]).toEqual([
      'ours',
      'hash',
      'https://api.example',
    ]);
  });
});
