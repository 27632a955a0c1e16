import { describe, expect, it } from 'vitest';
import { describeOne, describeText, get, openapi, post, swagger } from '../describing.ts';

const inQuery = (more: object): object =>
  openapi(get({ parameters: [{ name: 'p', in: 'query', schema: {}, ...more }] }));

describe('style and explode (OpenAPI 3)', () => {
  it.each([
    ['nothing said', {}, {}],
    ['form', { style: 'form' }, {}],
    ['form, not exploded', { style: 'form', explode: false }, { explode: false }],
    ['spaceDelimited', { style: 'spaceDelimited' }, { style: 'spaceDelimited' }],
    [
      'spaceDelimited, exploded',
      { style: 'spaceDelimited', explode: true },
      { style: 'spaceDelimited', explode: true },
    ],
    ['pipeDelimited', { style: 'pipeDelimited', explode: false }, { style: 'pipeDelimited' }],
    ['deepObject', { style: 'deepObject', explode: true }, { style: 'deepObject', explode: true }],
    ['allowReserved', { allowReserved: true }, { allowReserved: true }],
  ])('query, %s', async (_what, said, expected) => {
    const { bindings } = await describeOne(
      inQuery({ schema: { type: 'array', items: { type: 'string' } }, ...said }),
    );
    expect(bindings).toEqual([{ arg: 'p', in: 'query', name: 'p', ...expected }]);
  });

  it.each([
    ['simple', { style: 'simple' }, {}],
    ['simple, exploded', { explode: true }, { explode: true }],
    ['label', { style: 'label' }, { style: 'label' }],
    ['matrix, exploded', { style: 'matrix', explode: true }, { style: 'matrix', explode: true }],
  ])('path, %s', async (_what, said, expected) => {
    const parameter = {
      name: 'p',
      in: 'path',
      required: true,
      schema: { type: 'array', items: {} },
      ...said,
    };
    const { bindings } = await describeOne(openapi(get({ parameters: [parameter] }, '/a/{p}')));
    expect(bindings).toEqual([{ arg: 'p', in: 'path', name: 'p', ...expected }]);
  });

  it('cookie parameters know form and, since 3.2, cookie', async () => {
    const parameters = [
      { name: 'a', in: 'cookie', schema: { type: 'string' } },
      { name: 'b', in: 'cookie', style: 'cookie', schema: { type: 'string' } },
    ];
    const { bindings } = await describeOne({ ...openapi(get({ parameters })), openapi: '3.2.0' });
    expect(bindings).toEqual([
      { arg: 'a', in: 'cookie', name: 'a' },
      { arg: 'b', in: 'cookie', name: 'b', style: 'cookie' },
    ]);
  });

  it('simple in a query is one list with commas, as in a path', async () => {
    const schema = { type: 'array', items: { type: 'string' } };
    const { bindings, codes } = await describeOne(inQuery({ style: 'simple', schema }));
    expect(bindings).toEqual([{ arg: 'p', in: 'query', name: 'p', explode: false }]);
    expect(codes).toEqual(['style-invalid']);
  });

  it('a style that the place does not know is reported and the default used', async () => {
    const { bindings, codes } = await describeOne(inQuery({ style: 'matrix' }));
    expect(bindings).toEqual([{ arg: 'p', in: 'query', name: 'p' }]);
    expect(codes).toContain('style-invalid');
  });

  it('a content parameter is written by its media type', async () => {
    const content = {
      'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } },
    };
    const { bindings, properties } = await describeOne(
      openapi(get({ parameters: [{ name: 'f', in: 'query', content }] })),
    );
    expect(bindings).toEqual([{ arg: 'f', in: 'query', name: 'f', contentType: 'application/json' }]);
    expect(properties.f).toEqual({ type: 'object', properties: { a: { type: 'integer' } } });
  });

  it.each([
    ['3.1.0', 'Of this operation.', 'What this one takes.'],
    ['3.0.3', 'Of all.', 'What all take.'],
  ])('a description beside a reference (%s): %s', async (version, parameter, body) => {
    const components = {
      parameters: { P: { name: 'p', in: 'query', description: 'Of all.', schema: { type: 'string' } } },
      requestBodies: {
        B: {
          description: 'What all take.',
          content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
        },
      },
    };
    const operation = {
      parameters: [{ $ref: '#/components/parameters/P', description: 'Of this operation.' }],
      requestBody: { $ref: '#/components/requestBodies/B', description: 'What this one takes.' },
    };
    const document = openapi(post(operation), { openapi: version, components });
    const { properties } = await describeOne(document);
    expect(properties).toMatchObject({ p: { description: parameter }, body: { description: body } });
  });

  it('a querystring parameter (3.2) is the whole query', async () => {
    const content = {
      'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: {} } } },
    };
    const parameter = { name: 'q', in: 'querystring', required: true, content };
    const { bindings, input } = await describeOne({
      ...openapi(get({ parameters: [parameter] })),
      openapi: '3.2.0',
    });
    expect(bindings).toEqual([
      { arg: 'q', in: 'querystring', name: 'q', contentType: 'application/x-www-form-urlencoded' },
    ]);
    expect(input.required).toEqual(['q']);
  });

  it.each(['querystring', 'query', 'cookie'])(
    'a form as content of a %s parameter has encodings',
    async (place) => {
      const schema = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } };
      const encoding = { tags: { style: 'pipeDelimited', explode: false, headers: {} }, __proto__: {} };
      const content = { 'application/x-www-form-urlencoded': { schema, encoding } };
      const { bindings } = await describeOne({
        ...openapi(get({ parameters: [{ name: 'q', in: place, content }] })),
        openapi: '3.2.0',
      });
      expect(bindings).toMatchObject([{ members: { tags: { style: 'pipeDelimited', explode: false } } }]);
    },
  );
});

describe('collectionFormat (Swagger 2.0)', () => {
  it.each<[string, string, object, object]>([
    ['one in a query whose name ends with brackets', 'query', {}, {}],
    ['one that says csv', 'query', { collectionFormat: 'csv' }, { explode: false }],
    ['a header', 'header', {}, {}],
  ])('where none is said: %s', async (_, place, said, expected) => {
    const name = place === 'query' ? 'ids[]' : 'ids';
    const parameter = { name, in: place, type: 'array', items: { type: 'string' }, ...said };
    const { bindings } = await describeOne(swagger(get({ parameters: [parameter] })));
    expect(bindings).toEqual([{ arg: name.replace('[]', '_'), in: place, name, ...expected }]);
  });

  it('counts for a list that a reference describes, which some write here as in OpenAPI 3', async () => {
    const schema = { $ref: '#/definitions/Ids' };
    const parameters = [
      { name: 'a', in: 'query', schema, collectionFormat: 'pipes' },
      { name: 'b', in: 'query', schema },
      { name: 'c', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    ];
    const definitions = { Ids: { type: 'array', items: { type: 'string' } } };
    const { bindings } = await describeOne(swagger(get({ parameters }), { definitions }));
    expect(bindings).toEqual([
      { arg: 'a', in: 'query', name: 'a', style: 'pipeDelimited' },
      { arg: 'b', in: 'query', name: 'b', explode: false },
      { arg: 'c', in: 'query', name: 'c', explode: false },
    ]);
  });

  it.each([
    ['query', undefined, { explode: false }],
    ['query', 'csv', { explode: false }],
    ['query', 'ssv', { style: 'spaceDelimited' }],
    ['query', 'tsv', { explode: false, delimiter: '\t' }],
    ['query', 'pipes', { style: 'pipeDelimited' }],
    ['query', 'multi', {}],
    ['header', 'csv', {}],
    ['header', 'pipes', { style: 'pipeDelimited' }],
    ['path', 'ssv', { style: 'spaceDelimited' }],
    ['path', 'tsv', { delimiter: '\t' }],
  ])('%s, %s', async (place, collectionFormat, expected) => {
    const parameter = {
      name: 'x',
      in: place,
      required: true,
      type: 'array',
      items: { type: 'string' },
      collectionFormat,
    };
    const { bindings } = await describeOne(
      swagger(get({ parameters: [parameter] }, place === 'path' ? '/a/{x}' : '/a')),
    );
    expect(bindings).toEqual([{ arg: 'x', in: place, name: 'x', ...expected }]);
  });

  it.each([
    ['query', 'pipes', 'csv', { style: 'pipeDelimited', nested: [','] }],
    ['query', 'multi', 'ssv', { nested: [' '] }],
    ['path', undefined, 'pipes', { nested: ['|'] }],
    ['header', 'ssv', 'tsv', { style: 'spaceDelimited', nested: ['\t'] }],
    ['header', 'ssv', undefined, { style: 'spaceDelimited', nested: [','] }],
  ])('%s, lists within a list: %s, %s', async (place, collectionFormat, inner, expected) => {
    const items = { type: 'array', items: { type: 'string' }, collectionFormat: inner };
    const parameter = { name: 'x', in: place, required: true, type: 'array', items, collectionFormat };
    const { bindings, codes } = await describeOne(
      swagger(get({ parameters: [parameter] }, place === 'path' ? '/a/{x}' : '/a')),
    );
    expect(bindings).toEqual([{ arg: 'x', in: place, name: 'x', ...expected }]);
    expect(codes).toEqual([]);
  });

  it('multi within a list is reported', async () => {
    const items = { type: 'array', items: { type: 'string' }, collectionFormat: 'multi' };
    const parameter = { name: 'x', in: 'query', type: 'array', items };
    const { bindings, codes } = await describeOne(swagger(get({ parameters: [parameter] })));
    expect(bindings).toMatchObject([{ nested: [','] }]);
    expect(codes).toEqual(['style-invalid']);
  });

  it('multi outside query and form is reported', async () => {
    const parameter = { name: 'x', in: 'header', type: 'array', items: {}, collectionFormat: 'multi' };
    expect((await describeOne(swagger(get({ parameters: [parameter] })))).codes).toContain('style-invalid');
  });
});

describe('path placeholders', () => {
  const pathParameter = (name: string): object => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  });

  it.each([
    ['/a/{id}', 'id', 'id'],
    ['/a/{+name}', 'name', 'name'],
    ['/a/{+name}', '+name', 'name'],
    ['/a/{rest*}', 'rest', 'rest'],
    ['/a/{petId}', 'petid', 'petId'],
    ['/#Action=X&id={id}', 'id', 'id'],
    ['/a/{id:[0-9]+}', 'id', 'id:[0-9]+'],
    ['/a/{path: .+}', 'path', 'path: .+'],
    ['/a/{ns:id}', 'ns:id', 'ns:id'],
  ])('%s declared as %s is bound to %s', async (path, declared, placeholder) => {
    const { bindings, invocation } = await describeOne(
      openapi(get({ parameters: [pathParameter(declared)] }, path)),
    );
    expect(bindings).toHaveLength(1);
    expect(bindings[0]).toMatchObject({ in: 'path', name: placeholder });
    expect(invocation.path).toBe(path);
  });

  it('one that nobody declares is a required string', async () => {
    const { input, codes } = await describeOne(openapi(get({}, '/a/{x}/{y}')));
    expect(input.properties).toEqual({ x: { type: 'string' }, y: { type: 'string' } });
    expect(input.required).toEqual(['x', 'y']);
    expect(codes).toEqual(['path-parameter-undeclared', 'path-parameter-undeclared']);
  });

  it('one with a pattern that nobody declares is called by its name', async () => {
    const { input } = await describeOne(openapi(get({}, '/a/{id:[0-9]+}')));
    expect(input.properties).toEqual({ id: { type: 'string' } });
  });

  it.each([
    '/a/{id:[0-9]{4}}/b',
    '/a/{{id}}',
    '/a/{name=projects/*}',
    '/a/{name=projects/*/zones/*}',
    '/a/{}',
  ])('an operation at %s is skipped: no value can fill it', async (path) => {
    const { operations, skipped } = await describeText(openapi(get({}, path)));
    expect(operations).toEqual([]);
    expect(skipped[0]?.reason).toBe('its path has braces that no value can fill');
  });

  it.each(['/a/{id', '/a/}{', '/a{?q,r*}', '/a/{+name}:go'])('%s can be called', async (path) => {
    expect((await describeText(openapi(get({}, path)))).operations).toHaveLength(1);
  });

  it('one that Microsoft leaves unencoded is several segments; in a query that says nothing', async () => {
    const plain = { required: true, type: 'string', 'x-ms-skip-url-encoding': true };
    const parameters = [
      { name: 'scope', in: 'path', ...plain },
      { name: 'q', in: 'query', ...plain },
    ];
    const { bindings } = await describeOne(swagger(get({ parameters }, '/{scope}/locks')));
    expect(bindings).toEqual([
      { arg: 'scope', in: 'path', name: 'scope', encoding: 'slashes' },
      { arg: 'q', in: 'query', name: 'q' },
    ]);
  });

  it.each<[string, boolean]>([
    ['projects/[^/]+/things/[^/]+', true],
    ['^projects/[^/]+$', true],
    ['operations/.*', false],
    ['[^/]+', false],
    ['\\d+/\\d+', false],
    ['[^/]+/[^/]+', false],
  ])('one whose pattern is %s is several segments: %s', async (pattern, several) => {
    const of3 = { name: 'name', in: 'path', required: true, schema: { type: 'string', pattern } };
    const of2 = { name: 'name', in: 'path', required: true, type: 'string', pattern };
    const expected = [{ arg: 'name', in: 'path', name: 'name', ...(several ? { encoding: 'slashes' } : {}) }];
    for (const document of [
      openapi(get({ parameters: [of3] }, '/v1/{name}')),
      swagger(get({ parameters: [of2] }, '/v1/{name}')),
    ])
      expect((await describeOne(document)).bindings).toEqual(expected);
  });

  it.each(['{*path}', '{**path}', '{path+}', '{path...}', '{path:.*}', '{path:path}', '{+path}'])(
    'the rest of a path as %s is its parameter, of several segments',
    async (rest) => {
      const parameters = [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }];
      const { bindings, codes, invocation } = await describeOne(
        openapi(get({ parameters }, `/files/${rest}`)),
      );
      expect([bindings, codes]).toEqual([[{ arg: 'path', in: 'path', name: 'path' }], []]);
      expect(invocation).toMatchObject({ path: '/files/{+path}' });
    },
  );

  it('one in the query of the path is what is declared for the query', async () => {
    const size = { name: 'size', in: 'query', schema: { type: 'integer' } };
    const { input, bindings, codes } = await describeOne(
      openapi(get({ parameters: [size] }, '/a?size={size}&page={page}')),
    );
    expect(input.properties).toEqual({ page: { type: 'string' }, size: { type: 'integer' } });
    expect(input.required).toEqual(['page']);
    expect(bindings).toEqual([
      { arg: 'page', in: 'path', name: 'page' },
      { arg: 'size', in: 'query', name: 'size' },
    ]);
    expect(codes).toEqual(['path-parameter-undeclared']);
  });

  it('one in the path stays, whatever the query calls by its name', async () => {
    const id = { name: 'id', in: 'query', schema: { type: 'string' } };
    const { bindings } = await describeOne(openapi(get({ parameters: [id] }, '/a/{id}?id={id}')));
    expect(bindings.map((binding) => binding.in)).toEqual(['path', 'query']);
  });

  it('an operation with one behind a # that begins no query is skipped', async () => {
    const { operations, skipped } = await describeText(openapi(get({}, '/a/#b/{id}/c')));
    expect(operations).toEqual([]);
    expect(skipped[0]?.reason).toBe('its path has {id} in a fragment, which no request carries');
  });

  it('one that is written with a colon is filled, with a warning, where it is declared', async () => {
    const { bindings, codes, invocation, operation } = await describeOne(
      openapi(get({ parameters: [pathParameter('id')] }, '/delete/:id')),
    );
    expect(bindings).toMatchObject([{ arg: 'id', in: 'path', name: 'id' }]);
    expect(invocation.path).toBe('/delete/{id}');
    expect(operation).toMatchObject({ id: 'GET /delete/:id', access: 'delete' });
    expect(codes).toEqual(['path-parameter-colon']);
  });

  it('a description that only names the operation is none', async () => {
    const described = (description: string) => ({ ...pathParameter('id'), description });
    const { properties } = await describeOne(
      openapi(get({ parameters: [described('GET /a/:id Parameter')] }, '/a/{id}')),
    );
    expect(properties.id).not.toHaveProperty('description');
    const other = await describeOne(openapi(get({ parameters: [described('The parameter')] }, '/a/{id}')));
    expect(other.properties.id).toMatchObject({ description: 'The parameter' });
  });

  it("a router's wildcard in braces is filled by the parameter that is called like it", async () => {
    const { bindings, codes, invocation, operation } = await describeOne(
      openapi(get({ parameters: [pathParameter('*')] }, '/files/{*}')),
    );
    expect(bindings).toMatchObject([{ arg: 'rest', in: 'path', name: 'rest' }]);
    expect(invocation.path).toBe('/files/{+rest}');
    expect(operation.id).toBe('GET /files/{*}');
    expect(codes).toEqual([]);
  });

  it.each([
    ['/files/*', '/files/{+rest}'],
    ['/files/*path', '/files/{+path}'],
    ['/files/*/size', '/files/{+rest}/size'],
  ])("a router's wildcard stays in %s, with a warning that names %s", async (path, better) => {
    const document = openapi(get({}, path));
    const { bindings, codes, invocation } = await describeOne(document);
    expect(bindings).toEqual([]);
    expect(invocation.path).toBe(path);
    expect(codes).toEqual(['path-wildcard']);
    expect((await describeText(document)).diagnostics[0]?.message).toContain(`overlay that has ${better} in`);
  });

  it('an asterisk within a segment is no wildcard', async () => {
    expect((await describeOne(openapi(get({}, '/a*/b:*')))).codes).toEqual([]);
  });

  it('a declared path parameter without a placeholder is left out', async () => {
    const { bindings, codes } = await describeOne(openapi(get({ parameters: [pathParameter('gone')] })));
    expect(bindings).toEqual([]);
    expect(codes).toEqual(['path-parameter-unused']);
  });

  it.each<[string, object, object]>([
    ['a type', { type: 'string', nullable: true }, { type: 'string' }],
    [
      'a type and values',
      { type: ['string', 'null'], enum: ['a', 'b', null], default: null },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      'one schema or null',
      { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'Which.' },
      { type: 'integer', description: 'Which.' },
    ],
    [
      'several schemas or null',
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'null' }] },
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    ],
    ['null alone, which stays refused at the call', { type: ['null'] }, { type: 'null' }],
  ])('is never null, which no path can hold: %s', async (_what, schema, expected) => {
    const { properties } = await describeOne({
      ...openapi(get({ parameters: [{ ...pathParameter('id'), schema }] }, '/a/{id}')),
      openapi: '3.1.0',
    });
    expect(properties.id).toEqual(expected);
  });

  it('is required even where the document says otherwise, and comes in the order of the template', async () => {
    const parameters = [{ ...pathParameter('b'), required: false }, pathParameter('a')];
    const { input } = await describeOne(openapi(get({ parameters }, '/{a}/{b}')));
    expect(input.required).toEqual(['a', 'b']);
  });
});

describe('what is no argument', () => {
  it.each([
    'Authorization',
    'Accept',
    'content-type',
    'Host',
    'Cookie',
    'Content-Length',
    'Connection',
    'Transfer-Encoding',
    'X-HTTP-Method-Override',
    'Set-Cookie',
    'Accept-Encoding',
    'Content-Encoding',
  ])('the header %s', async (name) => {
    const { bindings } = await describeOne(
      openapi(get({ parameters: [{ name, in: 'header', schema: {} }] })),
    );
    expect(bindings).toEqual([]);
  });

  it.each<[string, object, object[]]>([
    ['by default', { default: 'GET' }, [{ const: 'GET', in: 'header', name: 'X-HTTP-Method-Override' }]],
    ['alone', { enum: ['GET'] }, [{ const: 'GET', in: 'header', name: 'X-HTTP-Method-Override' }]],
    ['never', { default: 'DELETE' }, []],
    ['of several', { enum: ['GET', 'DELETE'] }, []],
  ])('a required other method is sent where it reads: %s', async (_what, schema, expected) => {
    const name = 'X-HTTP-Method-Override';
    const { bindings, input } = await describeOne(
      openapi(post({ parameters: [{ name, in: 'header', required: true, schema }] })),
    );
    expect(bindings).toEqual(expected);
    expect(input.properties).toEqual({});
    const optional = openapi(post({ parameters: [{ name, in: 'header', schema }] }));
    expect((await describeOne(optional)).bindings).toEqual([]);
  });

  it.each([
    ['query', ''],
    ['header', ''],
    ['header', 'X Tenant'],
    ['header', 'X-Tenant:'],
  ])('a %s parameter called %j, which no request can carry', async (place, name) => {
    const { bindings, codes } = await describeOne(
      openapi(get({ parameters: [{ name, in: place, required: true, schema: { type: 'string' } }] })),
    );
    expect(bindings).toEqual([]);
    expect(codes).toEqual(['parameter-invalid']);
  });

  it('a parameter that an apiKey scheme names', async () => {
    const components = { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'Api_Key' } } };
    const parameters = [
      { name: 'api_key', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'q', in: 'query', schema: { type: 'string' } },
    ];
    const { properties } = await describeOne(openapi(get({ parameters }), { components }));
    expect(Object.keys(properties)).toEqual(['q']);
  });

  it.each<[string, object | undefined, boolean, object[]]>([
    ['nothing said', undefined, true, [{ key: [] }]],
    ['nothing said, the key optional', undefined, false, [{ key: [] }, {}]],
    ['another scheme', [{ token: [] }], true, [{ token: [], key: [] }]],
    ['another scheme, the key optional', [{ token: [] }], false, [{ token: [], key: [] }, { token: [] }]],
    ['the key in one alternative', [{ token: [] }, { key: [] }], true, [{ token: [], key: [] }, { key: [] }]],
    [
      'the key in one alternative, optional',
      [{ token: [] }, { key: [] }],
      false,
      [{ token: [] }, { key: [] }],
    ],
    ['nothing to be sent', [], true, []],
  ])('security with a key among the parameters: %s', async (_what, said, required, expected) => {
    const components = {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
        token: { type: 'http', scheme: 'bearer' },
      },
    };
    const parameters = [{ name: 'api_key', in: 'query', required, schema: { type: 'string' } }];
    const security = said === undefined ? {} : { security: said };
    const { invocation, properties } = await describeOne(
      openapi(get({ parameters, ...security }), { components }),
    );
    expect(invocation.security).toEqual(expected);
    expect(properties).toEqual({});
  });

  it.each([
    [
      'a required parameter with one value',
      { required: true, schema: { type: 'string', enum: ['2015-01-01'] } },
      '2015-01-01',
    ],
    ['a required constant', { required: true, schema: { const: 7 } }, 7],
    [
      'an internal one with a default',
      { 'x-ms-visibility': 'internal', schema: { type: 'string', default: 'v' } },
      'v',
    ],
  ])('%s is sent without asking', async (_what, said, value) => {
    const { bindings, properties } = await describeOne(inQuery(said));
    expect(bindings).toEqual([{ const: value, in: 'query', name: 'p' }]);
    expect(properties).toEqual({});
  });

  it('an optional parameter with one value, and an internal one without a default, are shown', async () => {
    expect((await describeOne(inQuery({ schema: { enum: ['x'] } }))).bindings).toEqual([
      { arg: 'p', in: 'query', name: 'p' },
    ]);
    const internal = swagger(
      get({ parameters: [{ name: 'p', in: 'query', type: 'string', 'x-ms-visibility': 'internal' }] }),
    );
    expect((await describeOne(internal)).bindings).toEqual([{ arg: 'p', in: 'query', name: 'p' }]);
  });

  it("Swagger 2.0's internal parameter with a default", async () => {
    const parameter = {
      name: 'api-version',
      in: 'query',
      required: true,
      type: 'string',
      default: '2020',
      'x-ms-visibility': 'internal',
    };
    const { bindings } = await describeOne(swagger(get({ parameters: [parameter] })));
    expect(bindings).toEqual([{ const: '2020', in: 'query', name: 'api-version' }]);
  });
});

describe('declarations', () => {
  const query = (name: string, type: string): object => ({ name, in: 'query', schema: { type } });

  it("the operation's own replace the path item's; order is path, query, header, cookie", async () => {
    const document = openapi({
      '/{id}': {
        parameters: [
          query('a', 'string'),
          { name: 'h', in: 'header', schema: {} },
          { name: 'id', in: 'path', schema: {} },
        ],
        get: {
          parameters: [{ name: 'c', in: 'cookie', schema: {} }, query('a', 'integer'), query('b', 'string')],
        },
      },
    });
    const { properties } = await describeOne(document);
    expect(Object.keys(properties)).toEqual(['id', 'a', 'b', 'h', 'c']);
    expect(properties.a).toEqual({ type: 'integer' });
  });

  it('the same twice is reported; header names are compared without case', async () => {
    const headers = [
      { name: 'X-A', in: 'header', schema: { type: 'string' } },
      { name: 'x-a', in: 'header', schema: { type: 'integer' } },
    ];
    const { bindings, codes } = await describeOne(openapi(get({ parameters: headers })));
    expect(bindings).toEqual([{ arg: 'x-a', in: 'header', name: 'x-a' }]);
    expect(codes).toEqual(['parameter-duplicate']);
  });

  it('names that meet get the prefix of their place, and the binding remembers the wire name', async () => {
    const document = openapi({
      '/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: {} },
            { name: 'id', in: 'query', schema: {} },
            { name: '$top', in: 'query', schema: {} },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
            },
          },
        },
      },
    });
    expect((await describeOne(document)).bindings).toEqual([
      { arg: 'id', in: 'path', name: 'id' },
      { arg: 'query_id', in: 'query', name: 'id' },
      { arg: '_top', in: 'query', name: '$top' },
      { arg: 'body_id', in: 'body', name: 'id', contentType: 'application/json' },
    ]);
  });

  it.each([
    ['no list', { parameters: { a: 1 } }, 'parameters-invalid'],
    ['an entry without name', { parameters: [{ in: 'query' }] }, 'parameter-invalid'],
    ['null as entry', { parameters: [null] }, 'parameter-invalid'],
    ['an unknown place', { parameters: [{ name: 'x', in: 'matrix', schema: {} }] }, 'parameter-invalid'],
  ])('%s costs that entry only', async (_what, operation, code) => {
    const { codes, bindings } = await describeOne(openapi(get(operation)));
    expect(codes).toEqual([code]);
    expect(bindings).toEqual([]);
  });

  it('a parameter that cannot be found costs its operation, with a reason', async () => {
    const paths = { ...get({ parameters: [{ $ref: '#/components/parameters/none' }] }), ...get({}, '/b') };
    const { operations, skipped } = await describeText(openapi(paths));
    expect(operations.map((operation) => operation.id)).toEqual(['GET /b']);
    expect(skipped).toEqual([
      { method: 'GET', path: '/a', reason: 'a parameter cannot be found: #/components/parameters/none' },
    ]);
  });

  it("the parameter's text and deprecation reach its schema, shared schemas stay untouched", async () => {
    const components = { schemas: { Id: { type: 'string', description: 'An id.' } } };
    const schema = { $ref: '#/components/schemas/Id' };
    const parameters = [
      { name: 'a', in: 'query', description: '<p>Which <b>one</b>.</p>', deprecated: true, schema },
      { name: 'b', in: 'query', schema },
    ];
    const { input } = await describeOne(openapi(get({ parameters }), { components }));
    expect(input.properties).toEqual({
      a: { $ref: '#/$defs/Id', description: 'Which one.', deprecated: true },
      b: { $ref: '#/$defs/Id' },
    });
    expect(input.$defs).toEqual({ Id: { type: 'string', description: 'An id.' } });
  });
});

describe('a header with * at the end of its name', () => {
  it('is an object of the names that stand for it, as OpenStack means it', async () => {
    const meta = {
      name: 'X-Object-Meta-*',
      in: 'header',
      description: 'Metadata',
      schema: { type: 'string' },
    };
    const { properties, bindings } = await describeOne(openapi(get({ parameters: [meta] })));
    expect(properties).toEqual({
      'X-Object-Meta': {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Metadata',
      },
    });
    expect(bindings).toEqual([{ in: 'header', name: 'X-Object-Meta-*', arg: 'X-Object-Meta' }]);
  });
});
