import { describe, expect, it } from 'vitest';
import { describeOne, describeText, get, openapi, swagger } from './describing.ts';

describe('security schemes', () => {
  it.each<[string, object, object]>([
    ['bearer', { type: 'http', scheme: 'Bearer' }, { type: 'http', scheme: 'bearer' }],
    ['apiKey', { type: 'apiKey', in: 'cookie', name: 's' }, { type: 'apiKey', in: 'cookie', name: 's' }],
    [
      'OpenID Connect',
      { type: 'openIdConnect', openIdConnectUrl: 'https://i.example' },
      { type: 'openIdConnect', url: 'https://i.example' },
    ],
    [
      'an API key named as its header line begins',
      { type: 'apiKey', in: 'header', name: 'Authorization: Bearer' },
      { type: 'http', scheme: 'bearer' },
    ],
    [
      'an API key named with a colon',
      { type: 'apiKey', in: 'header', name: 'X-Key: ' },
      { type: 'apiKey', in: 'header', name: 'X-Key' },
    ],
    ...(
      [
        ['Authorization', 'Token-based authentication with required prefix "Token"', 'Token'],
        ['X-Auth', 'Token-based authentication with required prefix: Token <key>', 'Token'],
        ['authorization', 'Type "Bearer" followed by a space and JWT token.', 'Bearer'],
        ['Authorization', "Enter 'Bearer' [space] and then your token.", 'Bearer'],
        ['Authorization', 'Use it so:\n`Authorization: Token YOUR_INFLUX_TOKEN`', 'Token'],
        ['Authorization', 'For example "Authorization: ApiKey {key}", not Bearer', 'ApiKey'],
        ['Authorization', 'Authorization: your key', undefined],
        ['Authorization', 'The token without Bearer', undefined],
        ['Authorization', "The token; don't write Bearer", undefined],
        ['X-Auth', 'A bearer of news', undefined],
      ] as const
    ).map(([name, description, prefix]): [string, object, object] => [
      `the word before a key: ${description}`,
      { type: 'apiKey', in: 'header', name, description },
      { type: 'apiKey', in: 'header', name, ...(prefix === undefined ? {} : { prefix }) },
    ]),
    ['mutual TLS', { type: 'mutualTLS' }, { type: 'mutualTLS' }],
    [
      'OAuth 2, client credentials first',
      {
        type: 'oauth2',
        flows: {
          implicit: { authorizationUrl: 'https://i.example/a', scopes: { x: '' } },
          authorizationCode: {
            tokenUrl: 'https://i.example/code',
            refreshUrl: 'https://i.example/refresh',
            scopes: { y: '' },
          },
          clientCredentials: { tokenUrl: 'https://i.example/token', scopes: { x: '' } },
        },
      },
      {
        type: 'oauth2',
        tokenUrl: 'https://i.example/token',
        refreshUrl: 'https://i.example/refresh',
        scopes: ['x', 'y'],
      },
    ],
    [
      "OAuth 2, FastAPI's password flow",
      { type: 'oauth2', flows: { password: { tokenUrl: 'token', scopes: {} } } },
      { type: 'oauth2', tokenUrl: 'token', scopes: [], password: true },
    ],
  ])('%s', async (_what, scheme, expected) => {
    const { securitySchemes } = await describeText(
      openapi({}, { components: { securitySchemes: { s: scheme } } }),
    );
    expect(securitySchemes).toEqual({ s: expected });
  });

  it('Swagger 2.0', async () => {
    const securityDefinitions = {
      b: { type: 'basic' },
      k: { type: 'apiKey', in: 'header', name: 'X-Key' },
      o: { type: 'oauth2', flow: 'application', tokenUrl: 'https://i.example/t', scopes: { r: 'read' } },
      p: { type: 'oauth2', flow: 'password', tokenUrl: 'https://i.example/p', scopes: {} },
    };
    expect((await describeText(swagger({}, { securityDefinitions }))).securitySchemes).toEqual({
      b: { type: 'http', scheme: 'basic' },
      k: { type: 'apiKey', in: 'header', name: 'X-Key' },
      o: { type: 'oauth2', tokenUrl: 'https://i.example/t', scopes: ['r'] },
      p: { type: 'oauth2', tokenUrl: 'https://i.example/p', scopes: [], password: true },
    });
  });

  it.each([
    { type: 'magic' },
    { type: 'apiKey', in: 'body', name: 'k' },
    { type: 'apiKey', in: 'header', name: 'X Key' },
    { type: 'apiKey', in: 'header', name: 'X-Key: Token' },
    null,
    { $ref: '#/none' },
  ])('%j is reported', async (scheme) => {
    const { securitySchemes, diagnostics } = await describeText(
      openapi({}, { components: { securitySchemes: { 's/t': scheme } } }),
    );
    expect(securitySchemes).toEqual({});
    expect(diagnostics).toMatchObject([
      { code: 'security-scheme-unknown', pointer: '#/components/securitySchemes/s~1t' },
    ]);
  });
});

describe('what an operation needs', () => {
  const components = {
    securitySchemes: { a: { type: 'http', scheme: 'bearer' }, b: { type: 'apiKey', in: 'query', name: 'k' } },
  };
  const needs = async (operation: object, more: object = {}): Promise<unknown> =>
    (await describeOne(openapi(get(operation), { components, ...more }))).invocation.security;

  it("its own alternatives and combinations, else the document's", async () => {
    expect(await needs({ security: [{ a: ['x'] }, { a: [], b: [] }, {}] })).toEqual([
      { a: ['x'] },
      { a: [], b: [] },
      {},
    ]);
    expect(await needs({}, { security: [{ b: [] }] })).toEqual([{ b: [] }]);
    expect(await needs({})).toEqual([]);
  });

  it('a bare name is that scheme', async () => {
    const { invocation, codes } = await describeOne(
      openapi(get({ security: ['b', 'none', 'a'] }), { components }),
    );
    expect(invocation.security).toEqual([{ b: [] }, { a: [] }]);
    expect(new Set(codes)).toEqual(new Set(['security-invalid']));
  });

  it('an empty list means that no credential leaves', async () => {
    expect(await needs({ security: [] }, { security: [{ a: [] }] })).toEqual([]);
  });

  it('a key in the same place by another scheme is there already', async () => {
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
    const parameters = [{ name: 'x-key', in: 'header', required: true, schema: { type: 'string' } }];
    for (const scheme of ['first', 'second']) {
      const document = openapi(get({ parameters, security: [{ [scheme]: [] }] }), {
        components: { securitySchemes: { first: key, second: { ...key, name: 'x-KEY' } } },
      });
      expect((await describeOne(document)).invocation.security).toEqual([{ [scheme]: [] }]);
    }
  });

  it('stand in a file of their own, which the whole list refers to', async () => {
    const files = { 'definitions/security.yaml': { token: { type: 'http', scheme: 'bearer' } } };
    const document = openapi(get({ security: [{ token: [] }] }), {
      components: { securitySchemes: { $ref: 'definitions/security.yaml' } },
    });
    const { securitySchemes, diagnostics } = await describeText(document, {}, files);
    expect(securitySchemes).toEqual({ token: { type: 'http', scheme: 'bearer' } });
    expect(diagnostics).toEqual([]);
  });

  describe('a scheme that is named by its URI (3.2)', () => {
    const file = { token: { type: 'apiKey', in: 'header', name: 'X-Token' } };
    it.each<[string, string, string]>([
      ['of the document itself', '#/components/securitySchemes/b', 'b'],
      ['by what the document calls itself', 'https://ids.example/main#/components/securitySchemes/b', 'b'],
      ['of another document', 'more.yaml#/token', 'token'],
      ['that is another document', './key', 'key'],
      ['that is called as another one is', './a', './a'],
    ])('%s', async (_what, uri, name) => {
      const alone = { type: 'apiKey', in: 'header', name: 'X-Alone' };
      const more = { openapi: '3.2.1', $self: 'https://ids.example/main', components };
      const document = openapi(get({ security: [{ [uri]: ['x'] }] }), more);
      const files = { 'more.yaml': file, key: alone, a: alone };
      const { operations, diagnostics, securitySchemes } = await describeText(document, {}, files);
      expect(diagnostics).toEqual([]);
      expect(operations[0]!.invocation).toMatchObject({ security: [{ [name]: ['x'] }] });
      expect(Object.keys(securitySchemes)).toEqual(['a', 'b', ...(name === 'b' ? [] : [name])]);
    });

    it('is none where a component is called so', async () => {
      const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
      const securitySchemes = { ...components.securitySchemes, './a': key };
      const more = { openapi: '3.2.1', components: { securitySchemes } };
      const found = await describeText(
        openapi(get({ security: [{ './a': [] }] }), more),
        {},
        { a: file.token },
      );
      expect(found.operations[0]!.invocation).toMatchObject({ security: [{ './a': [] }] });
      expect(found.securitySchemes['./a']).toEqual(key);
    });

    it('stays as it is where nothing is found', async () => {
      const document = openapi(get({ security: [{ '#/none': [] }] }), { openapi: '3.2.1', components });
      const { operations, diagnostics } = await describeText(document);
      expect(operations[0]!.invocation).toMatchObject({ security: [{ '#/none': [] }] });
      expect(diagnostics).toMatchObject([{ code: 'security-scheme-missing' }]);
    });
  });

  it('a scheme that is not defined stays, so that nothing goes out without it', async () => {
    const { invocation, codes } = await describeOne(openapi(get({ security: [{ none: [] }] })));
    expect(invocation.security).toEqual([{ none: [] }]);
    expect(codes).toEqual(['security-scheme-missing']);
  });
});
