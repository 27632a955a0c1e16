import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Description, HttpInvocation } from '../../../src/operations/index.ts';
import type { ProviderManifest, ProviderOperation } from '../../../src/sources/manifest/index.ts';
import { describeManifestValue } from '../../../src/sources/manifest/index.ts';
import { describeSource } from '../../../src/sources/registry.ts';
import { itemManifest, manifestWith } from './item-manifest.ts';
import { leverManifest } from './lever-of-the-guide.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-manifest-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read: string[] = [];
function describeFile(settings: unknown): Promise<Description> {
  return describeSource('manifest', settings, {
    name: 'shop',
    baseDirectory: folder,
    reader: {
      read: async (location) => {
        read.push(location);
        return readFile(location);
      },
    },
    signal: new AbortController().signal,
  });
}

async function describeText(text: string): Promise<Description> {
  await writeFile(join(folder, 'shop.yaml'), text);
  return describeFile('./shop.yaml');
}

const described = (operation: Partial<ProviderOperation>, head: Partial<ProviderManifest> = {}) => {
  const { operations } = describeManifestValue(manifestWith(operation, head), 'shop');
  expect(operations).toHaveLength(1);
  return operations[0]!;
};
const invocationOf = (operation: Partial<ProviderOperation>, head: Partial<ProviderManifest> = {}) =>
  described(operation, head).invocation as HttpInvocation;

const HEAD = `provider: shop
displayName: Shop
category: crm
baseUrl: https://shop.example.com/v1
apiVersion: v1
auth: { type: bearer }
`;
const LIST = `  - id: list_things
    method: GET
    path: /things
    access: read
    description: Lists things.
`;

describe('a manifest source', () => {
  it('reads a file beside the configuration through the reader', async () => {
    const { operations, provider, skipped, diagnostics } = await describeText(`${HEAD}operations:\n${LIST}`);
    expect(operations.map(({ id, name, source }) => [id, name, source])).toEqual([
      ['list_things', 'shop_list_things', 'shop'],
    ]);
    expect(provider).toMatchObject({ provider: 'shop', displayName: 'Shop', category: 'crm', blocklist: [] });
    expect(skipped).toEqual([]);
    expect(diagnostics).toEqual([]);
    expect(read.at(-1)).toBe(join(folder, 'shop.yaml'));
  });

  it('reads a shipped one by name, and a file of such a name', async () => {
    const { provider } = await describeFile('lever');
    expect(provider).toMatchObject({ provider: 'lever', regions: { eu: {}, us: {}, sandbox: {} } });
    expect(read.at(-1)).toMatch(/lever\.yaml$/);
    await expect(describeFile('levr')).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(/no shipped manifest "levr"; there are .*lever/),
    });
    await writeFile(join(folder, 'plain'), `${HEAD}operations:\n${LIST}`);
    expect((await describeFile({ file: 'plain' })).operations).toHaveLength(1);
  });

  it('has another fingerprint as soon as a byte differs', async () => {
    const one = await describeText(`${HEAD}operations:\n${LIST}`);
    expect((await describeText(`${HEAD}operations:\n${LIST}`)).fingerprint).toBe(one.fingerprint);
    expect((await describeText(`${HEAD}operations:\n${LIST} `)).fingerprint).not.toBe(one.fingerprint);
  });

  it('takes a typed object with the first members only', () => {
    const { operations, securitySchemes, provider } = describeManifestValue(leverManifest, 'lever');
    expect(operations.map(({ name, description }) => [name, description])).toEqual([
      ['lever_list_opportunities', '[Lever] List all opportunities (candidates)'],
    ]);
    expect(operations[0]!.input).toMatchObject({
      properties: { limit: { type: 'number', description: 'Max results', default: 100 } },
      additionalProperties: false,
    });
    expect(securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
    expect(provider!.blocklist).toEqual(['/users', '/webhooks']);
  });
});

describe('what a manifest must not say', () => {
  it('a value that holds itself, as one in the configuration can by an alias', async () => {
    const operations: unknown[] = [];
    operations.push(operations);
    await expect(describeFile({ ...itemManifest, operations })).rejects.toMatchObject({
      code: 'source_invalid',
      message: 'The manifest shop cannot be used: a value in it holds itself, or is nested too deeply.',
    });
  });

  it.each<[string, string, number, RegExp]>([
    ['no YAML', 'provider: [', 1, /no valid YAML/],
    [
      'a key twice',
      `${HEAD}provider: other\noperations:\n${LIST}`,
      7,
      /valid YAML: this key stands there twice$/,
    ],
    ['a line indented too far', 'provider: x\n category: crm\n', 1, /the line below this one is indented/],
    ['no object', '- 1', 1, /Expected object/],
    ['an alias within itself', `${HEAD}operations: &all\n  - *all\n`, 8, /alias stands within/],
    [
      'an alias of an operation within it',
      `${HEAD}operations:\n  - &one\n${LIST.replace('- id', '  id')}    returns: { again: *one }\n`,
      14,
      /alias stands within/,
    ],
    [
      'an unknown key',
      `${HEAD}colour: red\noperations:\n${LIST}`,
      7,
      /colour \(line 7\): Unknown key "colour"/,
    ],
    [
      'an unknown key below',
      `${HEAD.replace('bearer }', 'bearer, kind: x }')}operations:\n${LIST}`,
      6,
      /auth\.kind/,
    ],
    ['a bad provider', `${HEAD.replace('shop', 'Shop!')}operations:\n${LIST}`, 1, /small letters/],
    [
      'a base URL with a user',
      `${HEAD.replace('//shop', '//a:b@shop')}operations:\n${LIST}`,
      4,
      /without user/,
    ],
    ['no operations', `${HEAD}operations: []\n`, 7, /operations/],
    ['a missing member', `provider: shop\noperations:\n${LIST}`, 1, /"displayName" is missing/],
    [
      'a format that cannot be sent',
      HEAD.replace('bearer }', 'oauth2, format: Token <t> }') + `operations:\n${LIST}`,
      6,
      /use bearer/,
    ],
    [
      'a cursor that is no parameter',
      `${HEAD}pagination: { style: cursor, parameters: [x] }\noperations:\n${LIST}`,
      7,
      /no shared parameter x/,
    ],
    [
      'a token that names nobody',
      `${HEAD}onBehalfOf: { in: token }\noperations:\n${LIST}`,
      7,
      /Only an oauth2 token/,
    ],
  ])('%s', async (_what, text, line, message) => {
    const location = join(folder, 'shop.yaml');
    await expect(describeText(text)).rejects.toMatchObject({
      code: 'source_invalid',
      message: expect.stringMatching(message),
      location: expect.stringMatching(new RegExp(`^${location.replaceAll('.', '\\.')}(:${line})?$`)),
    });
  });

  const broken: [string, string, RegExp][] = [
    ['unknown key', '    colour: red\n', /colour: Unknown key "colour"/],
    ['unknown access', '    access: admin\n', /access/],
    ['unknown member of meta', '    meta: { wrapInDate: true }\n', /meta\.wrapInDate/],
    ['a query in the path', '    path: /others?x=1\n', /no query/],
    [
      'a placeholder nobody declares',
      '    path: /others/{id}\n',
      /\{id\} of \/others\/\{id\} is not declared/,
    ],
    ['a path parameter without placeholder', '    params: { id: { in: path } }\n', /no placeholder \{id\}/],
    ['a placeholder twice', '    path: /o/{id}/{id}\n    params: { id: { type: string } }\n', /stands twice/],
    ['a dot segment', '    path: /others/../users\n', /dot segment/],
    ['a shared parameter that is none', '    parameters: [page]\n', /no shared parameter page/],
    ['paging that nobody explains', '    paginated: true\n', /nothing about pagination/],
    ['a body in a GET', '    body: { x: { type: string } }\n', /GET request has no body/],
    ['wrapping without a body', '    meta: { wrapInData: true }\n', /needs a JSON body/],
    ['an acting user without a place', '    meta: { requiresOnBehalfOf: true }\n', /needs onBehalfOf/],
    ['a file outside multipart', '    method: POST\n    body: { f: { type: file } }\n', /multipart/],
    [
      'a default outside enum',
      '    params: { x: { type: string, enum: [a], default: b } }\n',
      /none of the values/,
    ],
    ['a choice of nothing', '    exactlyOne: [[a, b]]\n', /no argument a/],
    [
      'an unsafe name',
      '    method: POST\n    body: { __proto__: { type: string } }\n',
      /cannot be a name|Unknown/,
    ],
    ['a pattern that is none', "    params: { x: { type: string, pattern: '[' } }\n", /regular expression/],
  ];
  it.each(broken)('%s costs the operation, with its line', async (_what, lines, message) => {
    const own = lines.match(/^ {4}(\w+):/gm)!.map((key) => key.trim());
    const other = `  - id: other
    method: GET
    path: /others
    access: read
    description: Something else.
`
      .split('\n')
      .filter((line) => !own.some((key) => line.trim().startsWith(key)))
      .join('\n');
    const text = `${HEAD}operations:\n${LIST}${other}${lines}${LIST.replace('list_things', 'more_things')}`;
    const { operations, skipped, diagnostics } = await describeText(text);
    expect(operations.map(({ id }) => id)).toEqual(['list_things', 'more_things']);
    expect(skipped).toMatchObject([{ operation: 'other', reason: expect.any(String) }]);
    const [first] = diagnostics;
    expect(first).toMatchObject({ code: 'operation-invalid', severity: 'error' });
    expect(first!.message).toMatch(message);
    expect(first!.pointer).toMatch(/^#\/operations\/1/);
    const line = Number(/:(\d+)$/.exec(first!.location!)![1]);
    expect(line).toBeGreaterThanOrEqual(13);
    expect(line).toBeLessThanOrEqual(20);
  });

  it('a second operation of one id', async () => {
    const second = LIST.replace('/things', '/others');
    const { operations, skipped } = await describeText(`${HEAD}operations:\n${LIST}${second}`);
    expect(operations.map(({ invocation }) => (invocation as HttpInvocation).path)).toEqual(['/things']);
    expect(skipped).toEqual([
      {
        operation: 'list_things',
        method: 'GET',
        path: '/others',
        reason: 'The id list_things belongs to an earlier operation.',
      },
    ]);
  });
});

describe('an operation of a manifest', () => {
  it('takes one flat object and nothing else', () => {
    const { input } = described({
      method: 'POST',
      path: '/things/{id}',
      access: 'write',
      params: {
        id: { type: 'integer' },
        when: { type: 'string', format: 'date-time', description: 'Since when.' },
      },
      body: {
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        kind: { enum: ['a', 'b'], required: true },
        reason: { type: 'string', nullable: true },
        parts: {
          type: 'array',
          maxItems: 2,
          items: { type: 'object', properties: { sku: { type: 'string', required: true } } },
        },
        anything: { description: 'Whatever.' },
      },
    });
    expect(input).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        when: { type: 'string', format: 'date-time', description: 'Since when.' },
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        kind: { enum: ['a', 'b'] },
        reason: { type: ['string', 'null'] },
        parts: {
          type: 'array',
          maxItems: 2,
          items: {
            type: 'object',
            properties: { sku: { type: 'string' } },
            required: ['sku'],
            additionalProperties: false,
          },
        },
        anything: { description: 'Whatever.' },
      },
      required: ['id', 'kind'],
      additionalProperties: false,
    });
  });

  it('folds what the answer holds, deprecation and doubt into its description', () => {
    const { description, deprecated, title } = described({
      responseHints: ['id', 'name'],
      deprecated: { removal: '2027-01-01', replacement: 'other' },
      verified: false,
    });
    expect(description).toBe(
      "[Item Store] Tries it out. Answers with id, name. Deprecated, removed on 2027-01-01: use other. Not checked against the provider's documentation.",
    );
    expect(deprecated).toBe(true);
    expect(title).toBe('Try it');
  });

  it.each<[Partial<ProviderOperation>, object]>([
    [{}, { destructive: false, idempotent: true }],
    [
      { method: 'POST', access: 'read' },
      { destructive: false, idempotent: true },
    ],
    [
      { method: 'POST', access: 'write' },
      { destructive: false, idempotent: false },
    ],
    [
      { method: 'PUT', access: 'write' },
      { destructive: false, idempotent: true },
    ],
    [
      { method: 'DELETE', access: 'write' },
      { destructive: true, idempotent: true },
    ],
    [
      { method: 'POST', access: 'delete' },
      { destructive: true, idempotent: false },
    ],
    [{ method: 'POST', access: 'write', safety: { idempotent: true } }, { idempotent: true }],
    [{ method: 'POST', access: 'write', safety: { destructive: true } }, { destructive: true }],
  ])('%j is judged by its access and what it says of itself', (operation, expected) => {
    expect(described(operation).safety).toMatchObject(expected);
  });

  it('carries requirements, limits and tags', () => {
    const operation = described({
      requires: { permissions: ['candidates:write'], feature: 'hiring' },
      limits: { timeoutSeconds: 90, maxAttempts: 1 },
      tags: ['people'],
    });
    expect(operation.requirements).toEqual({ permissions: ['candidates:write'], feature: 'hiring' });
    expect(operation.limits).toEqual({ timeoutMs: 90_000, maxAttempts: 1 });
    expect(operation.tags).toEqual(['people']);
  });

  it('becomes nothing where the blocklist closes its path', () => {
    const blocked = (blocklist: string[], path: string) =>
      describeManifestValue(manifestWith({ path }, { blocklist }), 'shop').skipped[0]?.reason;
    expect(blocked(['/users'], '/Users/list')).toMatch(/\/users is on the manifest's blocklist/);
    expect(blocked(['/users'], '/usersx')).toBeUndefined();
    expect(blocked(['/**/purge'], '/things/actions/purge')).toMatch(/purge/);
    expect(blocked(['/things/purge'], '/purge')).toBeUndefined();
  });

  it('sends the acting user where the provider wants to see it', () => {
    const header = { onBehalfOf: { in: 'header', name: 'On-Behalf-Of' } } as const;
    const required = invocationOf({ meta: { requiresOnBehalfOf: true } }, header);
    expect(required.actingUser).toBe('required');
    expect(required.bindings).toEqual([{ inject: 'actingUser', in: 'header', name: 'On-Behalf-Of' }]);
    const optional = invocationOf({ meta: { acceptsOnBehalfOf: true } }, header);
    expect(optional.actingUser).toBeUndefined();
    expect(optional.bindings).toHaveLength(1);
    const oauth2 = { onBehalfOf: { in: 'token' }, auth: { type: 'oauth2' } } as const;
    const token = invocationOf({ meta: { requiresOnBehalfOf: true } }, oauth2);
    expect(token).toMatchObject({ actingUser: 'required', bindings: [] });
  });

  it('adds the parameters of paging, and says which goes alone', () => {
    const head = {
      parameters: { cursor: { type: 'string' }, size: { type: 'integer' } },
      pagination: { style: 'cursor', parameters: ['size', 'cursor'], alone: 'cursor' },
    } as const;
    const { bindings, rules } = invocationOf({ paginated: true, params: { tag: { type: 'string' } } }, head);
    expect(bindings.map(({ name }) => name)).toEqual(['size', 'cursor', 'tag']);
    expect(rules).toEqual([{ alone: 'cursor', without: ['size', 'tag'] }]);
    expect(invocationOf({}, head).rules).toBeUndefined();
  });
});

describe('ways to authenticate', () => {
  const schemes = (auth: ProviderManifest['auth']) =>
    describeManifestValue({ ...itemManifest, auth }, 'shop').securitySchemes;

  it.each<[ProviderManifest['auth'], object]>([
    [{ type: 'bearer' }, { bearer: { type: 'http', scheme: 'bearer' } }],
    [{ type: 'bearer', format: 'Bearer <token>' }, { bearer: { type: 'http', scheme: 'bearer' } }],
    [
      { type: 'bearer', format: 'Zoho-oauthtoken <token>' },
      { bearer: { type: 'http', scheme: 'Zoho-oauthtoken' } },
    ],
    [{ type: 'basic', format: 'Basic base64(<token>:)' }, { basic: { type: 'http', scheme: 'basic' } }],
    [{ type: 'api-key' }, { 'api-key': { type: 'apiKey', in: 'header', name: 'X-Api-Key' } }],
    [
      { type: 'api-key', headerName: 'X-Shop-Token', name: 'shop' },
      { shop: { type: 'apiKey', in: 'header', name: 'X-Shop-Token' } },
    ],
    [
      { type: 'api-key', headerName: 'Authorization', format: 'GenieKey <key>' },
      { 'api-key': { type: 'http', scheme: 'GenieKey' } },
    ],
    [
      { type: 'api-key', in: 'query', parameter: 'api_key' },
      { 'api-key': { type: 'apiKey', in: 'query', name: 'api_key' } },
    ],
    [
      { type: 'oauth2', tokenUrl: 'https://id.example.com/token', scopes: ['a'] },
      { oauth2: { type: 'oauth2', tokenUrl: 'https://id.example.com/token', scopes: ['a'] } },
    ],
  ])('%j', (auth, expected) => {
    expect(schemes(auth)).toEqual(expected);
  });

  it('may be several, of which one is enough', () => {
    const auth = [{ type: 'bearer' }, { type: 'basic' }] as const;
    const { operations } = describeManifestValue({ ...itemManifest, auth }, 'shop');
    expect((operations[0]!.invocation as HttpInvocation).security).toEqual([{ bearer: [] }, { basic: [] }]);
    expect(() => schemes([{ type: 'bearer' }, { type: 'bearer' }])).toThrow(/Two ways/);
  });

  it.each<[ProviderManifest['auth'], RegExp]>([
    [{ type: 'basic', format: 'Basic <token>' }, /Basic base64/],
    [{ type: 'bearer', format: 'token' }, /WORD <token>/],
    [{ type: 'bearer', headerName: 'X-Token' }, /use api-key/],
    [{ type: 'api-key', headerName: 'X-Token', format: 'Token <key>' }, /Authorization/],
    [{ type: 'api-key', in: 'query' }, /parameter/],
  ])('%j cannot be sent', (auth, message) => {
    expect(() => schemes(auth)).toThrow(message);
  });
});
