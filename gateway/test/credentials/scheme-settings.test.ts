import { describe, expect, it } from 'vitest';
import { configuredAlternatives } from '../../src/credentials/choose-alternative.ts';
import { findSettings } from '../../src/credentials/scheme-settings.ts';
import type { Connection, SecurityScheme } from '../../src/operations/index.ts';
import { connection } from './connections.ts';

const BEARER: SecurityScheme = { type: 'http', scheme: 'bearer' };
const BASIC: SecurityScheme = { type: 'http', scheme: 'basic' };
const KEY: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-Api-Key' };
const OAUTH: SecurityScheme = { type: 'oauth2', scopes: [] };
const CERTIFICATE: SecurityScheme = { type: 'mutualTLS' };

const nango = { integration: 'gh' };
const oauth2 = { clientId: 'toolcrib' };
const pair = { username: 'ann', password: 'pw' };

interface Found {
  readonly credentials?: Connection['credentials'];
  readonly scheme?: SecurityScheme | undefined;
  readonly env?: Record<string, string>;
  readonly changes?: Partial<Connection>;
}

const find = ({ credentials, scheme, env = {}, changes }: Found) =>
  findSettings(connection({}, credentials, changes), 'one', scheme, env);

describe('which of several settings a scheme takes', () => {
  it.each<[string, Found, object]>([
    [
      'OAuth before a ready token',
      { scheme: OAUTH, credentials: { bearer: 't', oauth2 } },
      { kind: 'oauth2', place: 'sources.pets.credentials.oauth2' },
    ],
    [
      'what is written here before what Nango keeps',
      { scheme: KEY, credentials: { apiKey: 'k', nango } },
      { kind: 'token', token: 'k' },
    ],
    [
      'of a provider, a pair before a key that would be its user',
      { scheme: BASIC, credentials: { apiKey: 'k', basic: pair }, changes: { provider: 'lever' } },
      { kind: 'basic', basic: pair },
    ],
    [
      'a fixed header before the variable',
      { scheme: KEY, changes: { headers: { 'X-Api-Key': 'fixed' } }, env: { TOOLCRIB_PETS_ONE: 'variable' } },
      { kind: 'header', value: 'fixed', place: 'sources.pets.headers.X-Api-Key' },
    ],
    [
      'under its name, those of its type',
      { scheme: OAUTH, credentials: { schemes: { one: { oauth2, apiKey: 'k' } } } },
      { kind: 'oauth2', place: 'sources.pets.credentials.schemes.one.oauth2' },
    ],
    [
      'under its name, a pair in a key',
      { scheme: BASIC, credentials: { schemes: { one: { apiKey: 'ann:pw' } } } },
      { kind: 'pair', pair: 'ann:pw' },
    ],
    [
      'under its name, a token before a key where the document does not define it',
      { credentials: { schemes: { one: { bearer: 't', apiKey: 'k' } } } },
      { kind: 'token', token: 't' },
    ],
    ...[BASIC, KEY, OAUTH, undefined].map((scheme): [string, Found, object] => [
      `under its name, Nango, for ${scheme?.type ?? 'a scheme that the document does not define'}`,
      { scheme, credentials: { schemes: { one: { nango } } } },
      { kind: 'nango', place: 'sources.pets.credentials.schemes.one.nango' },
    ]),
  ])('%s', (_, given, expected) => {
    expect(find(given)).toMatchObject(expected);
  });
});

describe('settings that are not meant for a scheme', () => {
  const env = { TOOLCRIB_PETS_ONE: 't' };
  it.each<[string, Found]>([
    ['`none` keeps the variable out', { scheme: BEARER, credentials: 'none', env }],
    ['a bearer token is no API key', { scheme: KEY, credentials: { bearer: 't' } }],
    [
      'a key of a provider is no user of a bearer scheme',
      { scheme: BEARER, credentials: { apiKey: 'k' }, changes: { provider: 'lever' } },
    ],
    ['authorities alone are no client certificate', { scheme: CERTIFICATE, changes: { tls: { ca: 'PEM' } } }],
    ['an empty variable is none', { scheme: BEARER, env: { TOOLCRIB_PETS_ONE: '' } }],
    [
      'a header is no query parameter of its name',
      {
        scheme: { type: 'apiKey', in: 'query', name: 'X-Api-Key' },
        changes: { headers: { 'X-Api-Key': 'fixed' } },
      },
    ],
    ['a scheme that the document does not define takes no variable', { env }],
    ['nor what Nango keeps for others', { credentials: { nango } }],
    ...['digest', 'Negotiate', 'NTLM', 'HOBA', 'mutual', 'SCRAM-SHA-256', 'DPoP'].map(
      (scheme): [string, Found] => [
        `a token answers no challenge: ${scheme}`,
        { scheme: { type: 'http', scheme }, credentials: { bearer: 't', schemes: { one: { bearer: 't' } } } },
      ],
    ),
  ])('%s', (_, given) => {
    expect(find(given)).toBeUndefined();
  });
});

describe('what is missing', () => {
  const missing = (alternative: Record<string, string[]>, given: Connection, env = {}) => {
    try {
      configuredAlternatives(given, [alternative], env);
      return 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is named, and what is there is not', () => {
    const said = missing({ key: [], token: [] }, connection({ key: KEY, token: BEARER }, { apiKey: 'k' }));
    expect(said).toContain('scheme token');
    expect(said).not.toContain('scheme key');
  });

  it('is no API key for basic authentication, but of a provider', () => {
    expect(missing({ user: [] }, connection({ user: BASIC }))).not.toContain('credentials.apiKey');
    expect(missing({ user: [] }, connection({ user: BASIC }, undefined, { provider: 'lever' }))).toContain(
      'credentials.apiKey',
    );
  });

  it('is every scheme that only Object.prototype defines', () => {
    const pets = connection({}, undefined, { headers: { Authorization: 'fixed' } });
    const said = missing({ constructor: [] }, pets, { TOOLCRIB_PETS_CONSTRUCTOR: 't' });
    expect(said).toContain('not defined by the document');
  });
});
