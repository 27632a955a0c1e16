import { describe, expect, it } from 'vitest';
import * as inputs from '../../../src/principals/directory/inputs.ts';

const { checkInput, ...SCHEMAS } = inputs;

const SECRET = { env: 'TOKEN' };
/** The least that is taken. */
const LEAST = {
  organisationInput: { name: 'Acme' },
  organisationChanges: {},
  userInput: { name: 'Ben' },
  userChanges: {},
  roleInput: { name: 'scribe', permissions: [] },
  keyInput: { user: 'ben', name: 'laptop' },
  levelInput: { scope: 'category:*', level: 'none' },
  levelRemoval: { scope: 'source:weather' },
  connectionInput: { source: 'zoho' },
  connectionChanges: {},
  actingUserInput: { connection: 'c', user: 'ben', providerUser: 'auth0|5f7c' },
  actingUserRemoval: { connection: 'c', user: 'ben' },
} satisfies Partial<Record<keyof typeof SCHEMAS, object>>;
type Schema = keyof typeof LEAST;

/** What comes of the least with these members. */
function check(schema: Schema, more: object): unknown {
  return checkInput<unknown>(SCHEMAS[schema], { ...LEAST[schema], ...more });
}

const credentials = (given: unknown): ['connectionChanges', object] => [
  'connectionChanges',
  { credentials: given },
];
const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe('is taken, and kept as it is given:', () => {
  it.each<[Schema, object]>([
    ...(Object.keys(LEAST) as Schema[]).map((schema): [typeof schema, object] => [schema, {}]),
    ['organisationInput', { id: `a${'.'.repeat(127)}`, name: 'n'.repeat(200), tools: null }],
    ['organisationChanges', { features: many(200) }],
    ['userInput', { organisation: null, email: null, subject: 's'.repeat(255), roles: many(100) }],
    ['userChanges', { subject: null, status: 'disabled' }],
    ['roleInput', { permissions: ['p'.repeat(200), ...many(499)] }],
    ['keyInput', { sources: null, expiresInDays: 0.5, purpose: 'approve' }],
    ['keyInput', { sources: many(200), maxAccess: 'read' }],
    ['levelInput', { user: null, scope: `category:a${'-'.repeat(127)}` }],
    ['connectionInput', { user: null, region: null, baseUrl: null, credentials: null }],
    ['connectionChanges', { baseUrl: 'https://proxy.example/v1', status: 'disabled' }],
    credentials('none'),
    credentials({ basic: { username: 'us', password: SECRET } }),
    credentials({ basic: { username: SECRET, password: '' } }),
    credentials({ oauth2: { clientId: 'public', tokenUrl: 'https://id.example/token', scopes: ['a'] } }),
    credentials({ nango: { integration: 'zoho', baseUrl: 'https://nango.example', secretKey: SECRET } }),
    credentials({ schemes: { key: { apiKey: { file: '/run/key' } } } }),
  ])('%s %j', (schema, more) => {
    expect(check(schema, more)).toEqual({ ...LEAST[schema], ...more });
  });

  it('names without the space around them, removals without what only a setting says', () => {
    expect(check('roleInput', { permissions: ['a'] })).toEqual({ name: 'scribe', permissions: ['a'] });
    expect(check('userInput', { name: ' Ben ' })).toEqual({ name: 'Ben' });
    expect(check('levelRemoval', { level: 'none' })).toEqual(LEAST.levelRemoval);
    expect(check('actingUserRemoval', { providerUser: '7' })).toEqual(LEAST.actingUserRemoval);
  });
});

describe('is refused:', () => {
  /** What an id would have to be escaped for, wherever it becomes part of a key or a path. */
  const noWords = ['', '-a', 'a b', 'a/b', 'a:b', 'a\n', 'ä', 'a'.repeat(129)];
  it.each<[Schema, string]>([
    ['organisationInput', 'id'],
    ['userInput', 'id'],
    ['userChanges', 'organisation'],
    ['roleInput', 'organisation'],
    ['roleInput', 'name'],
    ['keyInput', 'user'],
    ['levelInput', 'organisation'],
    ['levelRemoval', 'user'],
    ['connectionInput', 'organisation'],
    ['connectionInput', 'user'],
    ['connectionInput', 'source'],
    ['connectionInput', 'region'],
    ['actingUserInput', 'connection'],
    ['actingUserRemoval', 'user'],
  ])('in %s, whatever is no word as %s', (schema, member) => {
    for (const value of noWords) {
      const refused = expect.objectContaining({ code: 'record_invalid', pointer: `/${member}` });
      expect(() => check(schema, { [member]: value }), JSON.stringify(value)).toThrow(refused);
    }
  });

  it.each<[Schema, object, string]>([
    ...(Object.keys(LEAST).filter((schema) => !schema.endsWith('Removal')) as Schema[]).map(
      (schema): [typeof schema, object, string] => [schema, { extra: 1 }, '/extra'],
    ),
    ['organisationInput', { name: ' ' }, '/name'],
    ['organisationInput', { name: 'n'.repeat(201) }, '/name'],
    ['organisationInput', { features: many(201) }, '/features'],
    ['organisationInput', { features: ['a b'] }, '/features/0'],
    ['organisationChanges', { id: 'other' }, '/id'],
    ['userChanges', { id: 'other' }, '/id'],
    ['userInput', { status: 'active' }, '/status'],
    ['userInput', { email: `${'e'.repeat(320)}@acme.example` }, '/email'],
    ['userInput', { subject: '' }, '/subject'],
    ['userInput', { subject: 's'.repeat(256) }, '/subject'],
    ['userInput', { roles: many(101) }, '/roles'],
    ['userInput', { roles: ['a b'] }, '/roles/0'],
    ['roleInput', { permissions: [''] }, '/permissions/0'],
    ['roleInput', { permissions: ['p'.repeat(201)] }, '/permissions/0'],
    ['roleInput', { permissions: many(501) }, '/permissions'],
    ['keyInput', { sources: [] }, '/sources'],
    ['keyInput', { sources: many(201) }, '/sources'],
    ['keyInput', { expiresInDays: 0 }, '/expiresInDays'],
    ['keyInput', { expiresInDays: -1 }, '/expiresInDays'],
    ['levelInput', { scope: 'source:*' }, '/scope'],
    ['levelInput', { scope: 'category:a\nb' }, '/scope'],
    ['levelRemoval', { scope: `source:${'a'.repeat(129)}` }, '/scope'],
    ['connectionInput', { baseUrl: 'file:///etc/passwd' }, '/baseUrl'],
    ['connectionChanges', { user: 'ada' }, '/user'],
    ['connectionChanges', { source: 'zoho' }, '/source'],
    ['connectionChanges', { organisation: 'rival' }, '/organisation'],
    ['actingUserInput', { providerUser: 'a\r\nx-admin: 1' }, '/providerUser'],
    ['actingUserInput', { providerUser: 'a\u007f' }, '/providerUser'],
  ])('%s %j', (schema, more, pointer) => {
    expect(() => check(schema, more)).toThrow(expect.objectContaining({ code: 'record_invalid', pointer }));
  });

  it.each([
    {},
    { bearer: 'a secret' },
    { apiKey: { env: '' } },
    { apiKey: { env: 'A', file: 'B' } },
    { basic: { username: 'secret', password: '' } },
    { basic: { username: 'us', password: 'secret' } },
    { oauth2: { clientId: 'public', clientSecret: 'secret' } },
    { oauth2: { clientId: 'public', tokenUrl: 'file:///token' } },
    { oauth2: { clientId: 'public', scopes: [''] } },
    { oauth2: { clientId: 'public', other: 1 } },
    { nango: { integration: 'zoho', secretKey: 'secret' } },
    { nango: { integration: 'zoho', baseUrl: 'file:///nango' } },
    { nango: { integration: '' } },
    { nango: { integration: 'zoho', other: 1 } },
    { schemes: { key: { apiKey: 'secret' } } },
    { schemes: { key: { other: SECRET } } },
    { basic: { username: 'us', password: SECRET, other: 1 } },
    { basic: { username: SECRET, password: '', other: 1 } },
    { other: SECRET },
  ])('a credential that is no reference, or more: %j', (given) => {
    for (const schema of ['connectionInput', 'connectionChanges'] as const)
      expect(() => check(schema, { credentials: given })).toThrow(
        expect.objectContaining({ code: 'record_invalid', pointer: expect.stringMatching('^/credentials') }),
      );
  });

  it.each([
    [{ bearer: 'a secret' }, '/credentials/bearer', 'name secrets by { "env": NAME }'],
    [{ basic: { username: SECRET } }, '/credentials/basic/password', '"password" is missing.'],
    [{ nango: { connection: 'acme-1' } }, '/credentials/nango/integration', '"integration" is missing.'],
    [{ oauth2: { clientId: 'a', clientSecret: 'b' } }, '/credentials/oauth2/clientSecret', 'name secrets by'],
  ])('%j where it is wrong', (given, pointer, message) => {
    expect(() => check(...credentials(given))).toThrow(
      expect.objectContaining({ pointer, message: expect.stringContaining(message) }),
    );
  });
});
