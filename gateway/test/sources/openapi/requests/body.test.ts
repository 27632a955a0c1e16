import { describe, expect, it } from 'vitest';
import type { HttpInvocation } from '../../../../src/operations/index.ts';
import { describeOne, describeText, jsonBody, openapi, post, swagger } from '../describing.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const content = (types: object, required = true): object => ({ requestBody: { required, content: types } });

describe('a JSON body of a plain object', () => {
  it('asks for members that say themselves that they are required', async () => {
    const name = { type: 'string', required: true };
    const author = { type: 'object', properties: { name } };
    const schema = { type: 'object', properties: { title: name, views: { type: 'number' }, author } };
    const document = openapi(post(jsonBody(schema)));
    const { input } = await describeOne(document);
    expect(input).toMatchObject({ required: ['title'], properties: { author: { required: ['name'] } } });
    expect((await describeText(document)).diagnostics).toEqual([]);
  });

  it('becomes one argument per property', async () => {
    const schema = object({ a: { type: 'string' }, 'x y': { type: 'integer' } }, { required: ['a'] });
    const { input, bindings, invocation } = await describeOne(openapi(post(jsonBody(schema))));
    expect(input).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, x_y: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    });
    expect(bindings).toEqual([
      { arg: 'a', in: 'body', name: 'a', contentType: 'application/json' },
      { arg: 'x_y', in: 'body', name: 'x y', contentType: 'application/json' },
    ]);
    expect(invocation.body).toEqual({ contentType: 'application/json', required: true });
  });

  it.each<[string, object]>([
    ['$ref', { $ref: 5 }],
    ['required', { required: 'a' }],
    ['allOf', { allOf: { a: 1 } }],
  ])('says so where %s is not what it takes', async (keyword, odd) => {
    const schema = object({ a: { type: 'string' } }, odd);
    const { properties, description } = await describeOne(openapi(post(jsonBody(schema))));
    expect(properties).toEqual({ a: { type: 'string' } });
    expect(description.diagnostics).toMatchObject([
      {
        code: 'keyword-invalid',
        pointer: `#/paths/~1a/post/requestBody/content/application~1json/schema/${keyword}`,
      },
    ]);
  });

  it('says so once, and where a part of it has them', async () => {
    const parts = [{ properties: [1], required: {} }, object({ a: { $ref: 7, type: 'string' } })];
    const { description } = await describeOne(openapi(post(jsonBody({ allOf: parts }))));
    const at = '#/paths/~1a/post/requestBody/content/application~1json/schema/allOf';
    expect(description.diagnostics.map(({ pointer }) => pointer).sort()).toEqual([
      `${at}/0/properties`,
      `${at}/0/required`,
      `${at}/1/properties/a/$ref`,
    ]);
  });

  it('is what a reference leads to, whatever stands beside it before 3.1', async () => {
    const components = { schemas: { Filter: object({ a: { type: 'string' } }) } };
    const beside = { $ref: '#/components/schemas/Filter', type: 'string' };
    const { properties } = await describeOne(openapi(post(jsonBody(beside)), { components }));
    expect(properties).toEqual({ a: { type: 'string' } });
  });

  it('has allOf merged; a property that two parts describe must fit both', async () => {
    const components = {
      schemas: {
        Base: object(
          { id: { type: 'string', readOnly: true }, n: { type: 'integer' } },
          { required: ['id', 'n'] },
        ),
        More: {
          allOf: [
            { $ref: '#/components/schemas/Base' },
            object({ n: { minimum: 1 }, extra: { type: 'string' } }),
          ],
        },
      },
    };
    const { input } = await describeOne(
      openapi(post(jsonBody({ $ref: '#/components/schemas/More' })), { components }),
    );
    expect(input.properties).toEqual({
      n: { allOf: [{ type: 'integer' }, { minimum: 1 }] },
      extra: { type: 'string' },
    });
    expect(input.required).toEqual(['n']);
  });

  it('sends required properties with one value, and internal ones with a default, without asking', async () => {
    const schema = object(
      {
        type: { type: 'string', enum: ['card'] },
        kind: { enum: ['x'] },
        v: { default: 2, 'x-ms-visibility': 'internal' },
      },
      { required: ['type'] },
    );
    const { bindings } = await describeOne(openapi(post(jsonBody(schema))));
    expect(bindings).toEqual([
      { const: 'card', in: 'body', name: 'type', contentType: 'application/json' },
      { arg: 'kind', in: 'body', name: 'kind', contentType: 'application/json' },
      { const: 2, in: 'body', name: 'v', contentType: 'application/json' },
    ]);
  });

  it('is spread although it is optional, as long as nothing in it is required', async () => {
    const { input, invocation } = await describeOne(openapi(post(jsonBody(object({ a: {} }), false))));
    expect(Object.keys(input.properties as object)).toEqual(['a']);
    expect(invocation.body?.required).toBe(false);
  });
});

describe('a body that stays one argument', () => {
  it.each([
    ['an array', { type: 'array', items: { type: 'string' } }],
    ['a primitive', { type: 'string' }],
    ['a union', { oneOf: [object({ a: {} }), object({ b: {} })] }],
    ['a union inside allOf', { allOf: [object({ a: {} }), { anyOf: [{ required: ['a'] }] }] }],
    ['an open map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an object that allows more', object({ a: {} }, { additionalProperties: true })],
    ['an object without properties', { type: 'object' }],
    ['pattern properties', object({ a: {} }, { patternProperties: { '^x': {} } })],
    [
      'a discriminator, whose subtypes add properties',
      object({ kind: { type: 'string' } }, { discriminator: { propertyName: 'kind' } }),
    ],
    ['a required property that is not described', object({ a: {} }, { required: ['b'] })],
    ['only readOnly properties', object({ a: { readOnly: true } })],
  ])('%s', async (_what, schema) => {
    const { bindings, input } = await describeOne(openapi(post(jsonBody(schema))));
    expect(bindings).toEqual([{ arg: 'body', in: 'body', name: '', contentType: 'application/json' }]);
    expect(input.required).toEqual(['body']);
  });

  it('is optional where nothing is said', async () => {
    const schema = object({ a: { type: 'string' } });
    const requestBody = { content: { 'application/json': { schema } } };
    const { input, invocation } = await describeOne(openapi(post({ requestBody })));
    expect(invocation.body).toEqual({ contentType: 'application/json', required: false });
    expect(input.required).toBeUndefined();
  });

  it('an optional object with required properties: the whole is left out or complete', async () => {
    const schema = object({ a: { type: 'string' } }, { required: ['a'] });
    const { input } = await describeOne(openapi(post(jsonBody(schema, false))));
    expect(input.properties).toEqual({ body: schema });
    expect(input.required).toBeUndefined();
  });
});

describe('media types', () => {
  const schema = object({ a: { type: 'string' } });

  it.each([
    [['text/plain', 'application/json'], 'application/json'],
    [['application/xml', 'application/vnd.api+json'], 'application/vnd.api+json'],
    [['multipart/form-data', 'application/x-www-form-urlencoded'], 'application/x-www-form-urlencoded'],
    [['application/xml', 'text/plain'], 'text/plain'],
    [['image/png', 'application/octet-stream'], 'image/png'],
    [['application/json; charset=utf-8'], 'application/json; charset=utf-8'],
    [['*/*'], 'application/json'],
    [[''], 'application/json'],
    [['multipart/form-data', 'multipart/x-www-form-urlencoded'], 'multipart/form-data'],
  ])('of %j, %s is sent', async (types, expected) => {
    const { invocation } = await describeOne(
      openapi(post(content(Object.fromEntries(types.map((type) => [type, { schema }]))))),
    );
    expect(invocation.body?.contentType).toBe(expected);
  });

  it.each([
    [{ type: 'object' }, 'application/merge-patch+json'],
    [{ description: 'Anything' }, 'application/merge-patch+json'],
    [{ type: 'array', items: schema }, 'application/json-patch+json'],
  ])('a patch of %j is sent as %s', async (patch, expected) => {
    const types = ['application/json-patch+json', 'application/merge-patch+json', 'application/yaml'];
    const described = Object.fromEntries(types.map((type) => [type, { schema: patch }]));
    const { invocation } = await describeOne(openapi(post(content(described))));
    expect(invocation.body?.contentType).toBe(expected);
  });

  it.each([
    ['application/form-data', 'multipart/form-data'],
    ['form-data', 'multipart/form-data'],
    ['multipart/data', 'multipart/form-data'],
    ['multipart/formdata', 'multipart/form-data'],
    ['applicationjson;version=2', 'application/json;version=2'],
    ['application/*+xml', 'application/xml'],
  ])('%s, which no server knows, is sent as %s', async (type, expected) => {
    const { invocation, codes } = await describeOne(openapi(post(content({ [type]: { schema } }))));
    expect(invocation.body?.contentType).toBe(expected);
    expect(codes).toEqual(type.includes('*') ? [] : ['content-type-invalid']);
  });

  it('fields of Swagger 2.0 that are no media type likewise', async () => {
    const parameters = [{ name: 'f', in: 'formData', type: 'file' }];
    const { invocation, codes } = await describeOne(
      swagger(post({ consumes: ['application/form-data'], parameters })),
    );
    expect(invocation.body).toMatchObject({
      contentType: 'multipart/form-data',
      encoding: { f: { file: true } },
    });
    expect(codes).toEqual(['content-type-invalid']);
  });

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'a file goes by multipart, not by %s, where both would do',
    async (type) => {
      const upload = object({ file: { type: 'string', format: 'binary' }, name: { type: 'string' } });
      const types = { [type]: { schema: upload }, 'multipart/form-data': { schema: upload } };
      const { invocation } = await describeOne(openapi(post(content(types))));
      expect(invocation.body).toMatchObject({
        contentType: 'multipart/form-data',
        encoding: { file: { file: true } },
      });
      const alone = await describeOne(openapi(post(content({ [type]: { schema: upload } }))));
      expect(alone.invocation.body?.contentType).toBe(type);
    },
  );

  it('and JSON of the same schema is what calls without a file are sent as', async () => {
    const upload = { $ref: '#/components/schemas/Upload' };
    const types = (json: object) => ({
      'application/json': { schema: json },
      'application/x-www-form-urlencoded': { schema: upload },
      'multipart/form-data': { schema: upload },
    });
    const Upload = object({ file: { type: 'string', format: 'binary' }, name: { type: 'string' } });
    const describe = (json: object, options = {}) =>
      describeOne(openapi(post(content(types(json))), { components: { schemas: { Upload } } }), options);
    const { invocation, description } = await describe(upload);
    expect(invocation.body).toMatchObject({
      contentType: 'multipart/form-data',
      withoutFiles: 'application/json',
    });
    expect(description.diagnostics[0]?.message).toBe(
      'The body is sent as multipart/form-data, without a file as application/json; application/x-www-form-urlencoded would do as well.',
    );
    const another = object({ file: { type: 'string', format: 'binary' } });
    expect((await describe(another)).invocation.body).not.toHaveProperty('withoutFiles');
    const asked = await describe(upload, { contentTypes: ['multipart/*'] });
    expect(asked.invocation.body).not.toHaveProperty('withoutFiles');
  });

  it('the only type is sent, whatever a JSON Patch should be', async () => {
    const { invocation } = await describeOne(
      openapi(post(content({ 'application/json-patch+json': { schema } }))),
    );
    expect(invocation.body?.contentType).toBe('application/json-patch+json');
  });

  it.each([
    ['application/x-www-form-urlencoded', { type: 'array', items: schema }, 'its form body is a list'],
    ['application/x-www-form-urlencoded', { type: 'integer' }, 'its form body is a list or a number'],
    ['multipart/form-data', { type: 'array', items: schema }, 'its multipart body is a bare array'],
  ])('a body of %s whose fields have no names cannot be sent: %j', async (type, bare, reason) => {
    const { operations, skipped } = await describeText(openapi(post(content({ [type]: { schema: bare } }))));
    expect(operations).toEqual([]);
    expect(skipped[0]?.reason).toContain(reason);
  });

  it.each<[string, object, object]>([
    ['multipart/mixed;boundary=request-separator', { type: 'string' }, { type: 'string' }],
    ['multipart/mixed', { type: 'string' }, { type: 'object' }],
    ['multipart/form-data; boundary=x', { type: 'string' }, { type: 'object' }],
    ['multipart/mixed;boundary=x', { type: 'object' }, { type: 'object' }],
  ])('a body of %s that is %j is given as %j', async (type, said, given) => {
    const { input, invocation } = await describeOne(openapi(post(content({ [type]: { schema: said } }))));
    expect(input).toMatchObject({ properties: { body: given } });
    expect(invocation.body?.contentType).toBe(type);
  });

  it('what was not chosen is said', async () => {
    const { description } = await describeOne(
      openapi(post(content({ 'application/json': {}, 'text/csv': {} }))),
    );
    expect(description.diagnostics).toMatchObject([
      { code: 'content-types-unused', severity: 'info', message: expect.stringContaining('text/csv') },
    ]);
  });

  it('the configuration may prefer another one', async () => {
    const document = openapi(
      post(content({ 'application/json': { schema }, 'multipart/form-data': { schema } })),
    );
    const { invocation } = await describeOne(document, { contentTypes: ['multipart/*'] });
    expect(invocation.body?.contentType).toBe('multipart/form-data');
  });

  it('bytes are base64', async () => {
    const { properties, invocation, bindings } = await describeOne(
      openapi(post(content({ 'application/octet-stream': {} }))),
    );
    expect(properties.body).toMatchObject({
      type: 'string',
      contentEncoding: 'base64',
      description: expect.stringContaining('base64'),
    });
    expect(invocation.body).toEqual({
      contentType: 'application/octet-stream',
      required: true,
      binary: true,
    });
    expect(bindings).toEqual([
      { arg: 'body', in: 'body', name: '', contentType: 'application/octet-stream' },
    ]);
  });

  it.each<[string, object, string]>([
    ['*/*', { type: 'string' }, 'text/plain'],
    ['*/*', { type: ['string', 'null'] }, 'text/plain'],
    ['*/*', { $ref: '#/components/schemas/Text' }, 'text/plain'],
    ['*/*', {}, 'application/json'],
    ['*/*', { type: 'integer' }, 'application/json'],
    ['application/*+json', { type: 'string' }, 'application/json'],
    ['application/json', { type: 'string' }, 'application/json'],
  ])('a body of %s that is %j is sent as %s', async (mediaType, schema, expected) => {
    const components = { schemas: { Text: { type: 'string', description: 'The raw file data' } } };
    const document = openapi(post(content({ [mediaType]: { schema } })), { openapi: '3.1.0', components });
    const { invocation, properties } = await describeOne(document);
    expect(invocation.body?.contentType).toBe(expected);
    if (expected === 'text/plain') expect(properties.body).toMatchObject({ type: 'string' });
  });

  it.each(['application/vnd.acme.blob', '*/*'])('bytes by reference are bytes in %s', async (mediaType) => {
    const components = { schemas: { Bytes: { type: 'string', format: 'binary' } } };
    const schema = { $ref: '#/components/schemas/Bytes' };
    const document = openapi(post(content({ [mediaType]: { schema } })), { components });
    const { invocation, properties } = await describeOne(document);
    expect(invocation.body?.binary).toBe(true);
    expect(properties.body).toMatchObject({ type: 'string', contentEncoding: 'base64' });
  });

  it.each([
    ['application/octet-stream', true],
    ['*/*', true],
    ['image/*', true],
    ['image/png', false],
  ])('bytes of %s: a caller is told how to say their type, if it may: %s', async (mediaType, isTold) => {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    for (const description of [undefined, 'The picture']) {
      const { requestBody } = content({ [mediaType]: bytes }) as { requestBody: object };
      const document = openapi(
        post({ requestBody: { ...requestBody, ...(description === undefined ? {} : { description }) } }),
      );
      const { properties } = await describeOne(document);
      const said = String((properties.body as { description: unknown }).description);
      expect(said.startsWith(description ?? 'File content, base64')).toBe(true);
      expect(said.endsWith('; with its type: data:TYPE;base64,…')).toBe(isTold);
    }
  });

  it.each([
    ['image/*', 'image/*'],
    ['*/*', '*/*'],
    ['image/png', undefined],
    ['application/octet-stream', undefined],
  ])('bytes of %s: which types are open is kept', async (mediaType, range) => {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const { invocation } = await describeOne(openapi(post(content({ [mediaType]: bytes }))));
    expect(invocation.body?.range).toBe(range);
  });

  it('JSON is not chosen for bytes', async () => {
    const file = { schema: { type: 'string', format: 'binary' } };
    const { invocation } = await describeOne(
      openapi(post(content({ 'application/json': file, 'application/pdf': file }))),
    );
    expect(invocation.body).toMatchObject({ contentType: 'application/pdf', binary: true });
  });

  it('XML is given as text, plain text keeps its limits', async () => {
    expect(
      (await describeOne(openapi(post(content({ 'application/xml': { schema } }))))).properties.body,
    ).toMatchObject({ type: 'string' });
    const binary = { 'text/plain': { schema: { type: 'string', format: 'binary' } } };
    expect((await describeOne(openapi(post(content(binary))))).properties.body).toEqual({ type: 'string' });
    const text = { 'text/plain': { schema: { type: 'string', maxLength: 3 } } };
    expect((await describeOne(openapi(post(content(text))))).properties.body).toEqual({
      type: 'string',
      maxLength: 3,
    });
  });

  it('a media type may be a reference (3.2)', async () => {
    const components = { mediaTypes: { Json: { schema } } };
    const document = openapi(
      post(content({ 'application/json': { $ref: '#/components/mediaTypes/Json' } })),
      { components },
    );
    expect((await describeOne({ ...document, openapi: '3.2.0' })).properties).toEqual({
      a: { type: 'string' },
    });
  });

  it('a stream of items (3.2 itemSchema) is a list', async () => {
    const document = openapi(post(content({ 'application/jsonl': { itemSchema: schema } })));
    const { properties } = await describeOne({ ...document, openapi: '3.2.0' });
    expect(properties.body).toEqual({ type: 'array', items: schema });
  });
});

describe('forms (OpenAPI 3)', () => {
  it.each([
    ['application/x-www-form-urlencoded', /^The member meta .*JSON text.*style: deepObject/],
    ['multipart/form-data', /^The part meta .*as JSON.*style: deepObject.*contentType: text\/plain/],
  ])('members of %s that go out as JSON are named, with the way to brackets', async (type, message) => {
    const schema = object({
      meta: object({ a: {} }),
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      styled: object({ a: {} }),
    });
    const encoding = { styled: { style: 'deepObject' } };
    const { diagnostics } = await describeText(openapi(post(content({ [type]: { schema, encoding } }))));
    expect(diagnostics).toMatchObject([
      { code: 'form-as-json', severity: 'info', message: expect.stringMatching(message) },
    ]);
  });

  it.each([{ format: 'binary' }, { contentMediaType: 'image/png' }, {}])(
    'a part whose content is said not to be encoded is a file: %j',
    async (more) => {
      const file = { type: 'string', contentEncoding: 'binary', ...more };
      const schema = object({ file, files: { type: 'array', items: file } });
      const { input, invocation } = await describeOne(
        openapi(post(content({ 'multipart/form-data': { schema } })), { openapi: '3.1.0' }),
      );
      expect(input.properties).toMatchObject({
        file: { contentEncoding: 'base64', description: expect.stringContaining('base64') },
        files: { items: { contentEncoding: 'base64' } },
      });
      expect(invocation.body).toMatchObject({ encoding: { file: { file: true }, files: { file: true } } });
    },
  );

  it.each<[string, string[], string[]]>([
    ['in JSON alone are named', ['application/json'], ['bytes-in-json']],
    ['beside a form are not', ['application/json', 'multipart/form-data'], ['content-types-unused']],
  ])('bytes %s', async (_, types, codes) => {
    const schema = object({ file: { type: 'string', format: 'binary' }, name: { type: 'string' } });
    const offered = Object.fromEntries(types.map((type) => [type, { schema }]));
    expect((await describeOne(openapi(post(content(offered))))).codes).toEqual(codes);
  });

  it('encoding objects and files', async () => {
    const schema = object({
      file: { type: 'string', format: 'binary', default: 'File', description: 'The picture.' },
      files: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
      bytes: { type: 'string', contentMediaType: 'application/octet-stream' },
      any: { type: 'string', contentMediaType: '*/*' },
      photo: { type: 'string', contentMediaType: 'image/jpeg' },
      meta: object({ a: {} }),
      tags: { type: 'array', items: { type: 'string' } },
    });
    const encoding = {
      meta: {
        contentType: 'application/json',
        headers: { 'X-Part': { schema: { type: 'string', default: 'm' } } },
      },
      tags: { style: 'pipeDelimited', explode: false },
      file: { contentType: 'image/*, image/png' },
    };
    const { invocation, properties } = await describeOne(
      openapi(post(content({ 'multipart/form-data': { schema, encoding } }))),
    );
    expect(invocation.body).toEqual({
      contentType: 'multipart/form-data',
      required: true,
      encoding: {
        meta: { contentType: 'application/json', headers: { 'X-Part': 'm' } },
        tags: { style: 'pipeDelimited', explode: false },
        file: { contentType: 'image/png', file: true },
        files: { contentType: 'image/png', file: true },
        bytes: { file: true },
        any: { file: true },
        photo: { contentType: 'image/jpeg', file: true },
      },
    });
    expect(properties.file).toEqual({
      type: 'string',
      contentEncoding: 'base64',
      description: 'The picture. (file content, base64); named: data:TYPE;name=FILENAME;base64,…',
    });
  });

  it.each<[string, object]>([
    ['by reference', { $ref: '#/components/schemas/Bytes' }],
    ['optional, as FastAPI writes it', { anyOf: [{ type: 'string', format: 'binary' }, { type: 'null' }] }],
    ['a described reference', { allOf: [{ $ref: '#/components/schemas/Bytes' }], description: 'A file.' }],
    [
      'an optional list',
      { anyOf: [{ type: 'array', items: { type: 'string', format: 'binary' } }, { type: 'null' }] },
    ],
    [
      'a list of optional ones',
      { type: 'array', items: { anyOf: [{ type: 'string', format: 'binary' }, { type: 'null' }] } },
    ],
    [
      'one or several',
      {
        oneOf: [
          { $ref: '#/components/schemas/Bytes' },
          { type: 'array', items: { $ref: '#/components/schemas/Bytes' } },
        ],
      },
    ],
  ])('a file %s is a file', async (_what, file) => {
    const components = { schemas: { Bytes: { type: 'string', format: 'binary' } } };
    const schema = object({ file, text: { anyOf: [{ type: 'string' }, { type: 'null' }] } });
    const document = openapi(post(content({ 'multipart/form-data': { schema } })), { components });
    const { invocation } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body?.encoding).toEqual({ file: { file: true } });
  });

  it.each<[string, object]>([
    ['a text or a file', { anyOf: [{ type: 'string' }, { type: 'string', format: 'binary' }] }],
    [
      'a file or its address, by reference, or nothing',
      { oneOf: [{ $ref: '#/components/schemas/Bytes' }, { type: 'string' }, { type: 'null' }] },
    ],
    ['texts or files, by a reference to the choice', { $ref: '#/components/schemas/TextsOrFiles' }],
  ])('%s is a file where it is given as a data URL', async (_what, value) => {
    const Bytes = { type: 'string', format: 'binary' };
    const TextsOrFiles = { anyOf: [{ type: 'array', items: Bytes }, { type: 'string' }] };
    const components = { schemas: { Bytes, TextsOrFiles } };
    const document = openapi(post(content({ 'multipart/form-data': { schema: object({ value }) } })), {
      components,
    });
    const { invocation, properties } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body?.encoding).toEqual({ value: { file: 'data-url' } });
    expect(properties.value).toMatchObject({
      description: 'Text, or a file as data:TYPE;name=FILENAME;base64,…',
    });
  });

  it.each<[string, object]>([
    ['texts', { anyOf: [{ type: 'string' }, { type: 'string', format: 'uri' }] }],
    ['an object', { anyOf: [{ type: 'object' }, { type: 'string', format: 'binary' }] }],
  ])('a choice with %s is no file', async (_what, value) => {
    const document = openapi(post(content({ 'multipart/form-data': { schema: object({ value }) } })));
    const { invocation } = await describeOne(document);
    expect(invocation.body?.encoding?.value?.file).toBeUndefined();
  });

  it('where a file leads through a list or the whole body, its name is told beside', async () => {
    const file = { type: 'string', format: 'binary' };
    const list = object({ list: { type: 'array', items: file } });
    const spread = await describeOne(openapi(post(content({ 'multipart/form-data': { schema: list } }))));
    expect(spread.properties.list).toMatchObject({
      description: 'Files; named: data:TYPE;name=FILENAME;base64,…',
    });
    const schema = object({ file }, { required: ['file'] });
    const whole = await describeOne(openapi(post(content({ 'multipart/form-data': { schema } }, false))));
    expect(whole.properties.body).toMatchObject({
      description: 'Files; named: data:TYPE;name=FILENAME;base64,…',
    });
  });

  it.each<[string, object, object]>([
    [
      'of a choice',
      { oneOf: [object({ file: { $ref: '#/components/schemas/Bytes' } }), object({ url: {} })] },
      { encoding: { file: { file: true } } },
    ],
    [
      'of one choice that is text in another',
      {
        anyOf: [object({ file: { type: 'string', format: 'binary' } }), object({ file: { type: 'string' } })],
      },
      {},
    ],
    [
      'under any name, beside a text',
      object({ text: { type: 'string' } }, { additionalProperties: { type: 'string', format: 'binary' } }),
      { encoding: { text: {} }, otherParts: { file: true } },
    ],
    [
      'under names of a pattern',
      { type: 'object', patternProperties: { '^f': { type: 'string', format: 'binary' } } },
      { otherParts: { file: true } },
    ],
  ])('a file %s', async (_what, schema, expected) => {
    const components = { schemas: { Bytes: { type: 'string', format: 'binary' } } };
    const document = openapi(post(content({ 'multipart/form-data': { schema } })), { components });
    const { invocation } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body).toEqual({ contentType: 'multipart/form-data', required: true, ...expected });
  });

  it('the items of a multipart body whose parts need no names (3.2)', async () => {
    const media = { itemSchema: { type: 'object' }, itemEncoding: { contentType: 'application/json' } };
    const document = openapi(post(content({ 'multipart/mixed': media })));
    const { invocation } = await describeOne({ ...document, openapi: '3.2.0' });
    expect(invocation.body).toEqual({
      contentType: 'multipart/mixed',
      required: true,
      otherParts: { contentType: 'application/json' },
    });
  });

  it('the first items of a multipart body, each with its own encoding (3.2)', async () => {
    const schema = {
      type: 'array',
      prefixItems: [{ type: 'object' }, { type: 'string', format: 'binary' }],
      items: { type: 'string' },
    };
    const prefixEncoding = [
      { contentType: 'application/json', headers: { 'X-Role': { schema: { const: 'meta' } } } },
      {},
      { contentType: 'text/markdown' },
    ];
    const itemEncoding = { contentType: 'text/plain' };
    const document = openapi(post(content({ 'multipart/mixed': { schema, prefixEncoding, itemEncoding } })));
    const { invocation, input } = await describeOne({ ...document, openapi: '3.2.0' });
    expect(invocation.body).toEqual({
      contentType: 'multipart/mixed',
      required: true,
      firstParts: [
        { contentType: 'application/json', headers: { 'X-Role': 'meta' } },
        { file: true },
        { contentType: 'text/markdown' },
      ],
      otherParts: { contentType: 'text/plain' },
    });
    expect(input).toMatchObject({ properties: { body: { type: 'array', prefixItems: [{}, {}] } } });
  });

  it.each<[string, object, object, string]>([
    [
      'multipart/mixed',
      { type: 'array', prefixItems: [{ type: 'object' }, { type: 'array', prefixItems: [{}, {}] }] },
      {
        prefixEncoding: [
          {},
          { contentType: 'multipart/mixed', prefixEncoding: [{}, { contentType: 'image/png' }] },
        ],
      },
      'firstParts.1',
    ],
    [
      'multipart/form-data',
      object({ a: { type: 'array', items: { type: 'array', prefixItems: [{}, {}] } } }),
      {
        encoding: {
          a: { contentType: 'multipart/mixed', prefixEncoding: [{}, { contentType: 'image/png' }] },
        },
      },
      'encoding.a',
    ],
  ])('parts within a part of %s (3.2)', async (mediaType, schema, encoding, at) => {
    const document = openapi(post(content({ [mediaType]: { schema, ...encoding } })));
    const { invocation } = await describeOne({ ...document, openapi: '3.2.0' });
    expect(invocation.body).toHaveProperty(at, {
      contentType: 'multipart/mixed',
      parts: { firstParts: [{ file: 'data-url' }, { contentType: 'image/png' }] },
    });
  });

  it.each<[string, object, object]>([
    ['a part', {}, { description: 'Any value, or a file as data:TYPE;name=FILENAME;base64,…' }],
    [
      'a list of parts',
      { type: 'array', items: {} },
      { type: 'array', description: 'Any value, or a file as data:TYPE;name=FILENAME;base64,…' },
    ],
  ])('%s without a type is a file where it is given as a data URL (3.1)', async (_what, value, shown) => {
    const document = openapi(post(content({ 'multipart/form-data': { schema: object({ value }) } })));
    const { invocation, properties } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body?.encoding).toEqual({ value: { file: 'data-url' } });
    expect(properties.value).toMatchObject(shown);
    const before = await describeOne(document);
    expect(before.invocation.body?.encoding).toBeUndefined();
  });

  it('what says whether reserved characters stay is written by a style, not as JSON', async () => {
    const schema = object({ a: { type: 'object' }, b: { type: 'object' } });
    const encoding = { a: { allowReserved: true }, b: { allowReserved: false, style: 'deepObject' } };
    const document = openapi(post(content({ 'application/x-www-form-urlencoded': { schema, encoding } })));
    const { invocation } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body?.encoding).toEqual({
      a: { allowReserved: true, style: 'form' },
      b: { style: 'deepObject' },
    });
  });

  it('a list has no names for the parts of a form (3.2)', async () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }] };
    const document = openapi(post(content({ 'multipart/form-data': { schema, prefixEncoding: [{}] } })));
    const { skipped } = await describeText(JSON.stringify({ ...document, openapi: '3.2.0' }));
    expect(skipped[0]?.reason).toBe('its multipart body is a bare array, whose parts have no names');
  });

  it.each<[string, unknown, object, object]>([
    [
      'bytes',
      { $ref: '#/components/schemas/Bytes' },
      {
        additionalProperties: { $ref: '#/$defs/Bytes' },
        description: expect.stringMatching(/^Files; named/),
      },
      { otherParts: { file: true } },
    ],
    ['one value', { type: 'string' }, { additionalProperties: { type: 'string' } }, {}],
    ['anything', {}, {}, {}],
  ])('parts that are described as %s are given by names', async (_what, schema, body, format) => {
    const components = { schemas: { Bytes: { type: 'string', format: 'binary' } } };
    const document = openapi(post(content({ 'multipart/form-data': { schema } })), { components });
    const { properties, invocation } = await describeOne(document);
    expect(properties.body).toEqual({ type: 'object', ...body });
    expect(invocation.body).toEqual({ contentType: 'multipart/form-data', required: true, ...format });
  });

  it('a part that only its encoding calls a picture is asked for as bytes (3.1)', async () => {
    const schema = object({ picture: { description: 'The picture.' }, meta: {} });
    const encoding = { picture: { contentType: 'image/png' }, meta: { contentType: 'application/json' } };
    const document = openapi(post(content({ 'multipart/form-data': { schema, encoding } })));
    const { invocation, properties } = await describeOne({ ...document, openapi: '3.1.0' });
    expect(invocation.body?.encoding).toEqual({
      picture: { contentType: 'image/png', file: true },
      meta: { contentType: 'application/json' },
    });
    expect(properties).toEqual({
      picture: {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The picture. (file content, base64); named: data:TYPE;name=FILENAME;base64,…',
      },
      meta: {},
    });
  });

  it('a text that only its encoding calls bytes is asked for as base64, which is how it is read', async () => {
    const file = { type: 'string', description: 'The file.' };
    const schema = object({
      file,
      files: { type: 'array', items: { type: 'string' } },
      kind: { enum: ['a', 'b'] },
    });
    const encoding = Object.fromEntries(
      ['file', 'files', 'kind'].map((name) => [name, { contentType: 'application/octet-stream' }]),
    );
    const { invocation, properties } = await describeOne(
      openapi(post(content({ 'multipart/form-data': { schema, encoding } }))),
    );
    expect(invocation.body?.encoding).toMatchObject({ file: { file: true }, files: { file: true } });
    expect(invocation.body?.encoding?.['kind']).not.toHaveProperty('file');
    expect(properties).toMatchObject({
      file: {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The file. (file content, base64); named: data:TYPE;name=FILENAME;base64,…',
      },
      files: { type: 'array', items: { type: 'string', contentEncoding: 'base64' } },
      kind: { enum: ['a', 'b'] },
    });
  });

  it('base64 text is text, not a file', async () => {
    const schema = object({
      a: { type: 'string', contentEncoding: 'base64' },
      b: { type: 'string', format: 'byte' },
    });
    const { invocation } = await describeOne(openapi(post(content({ 'multipart/form-data': { schema } }))));
    expect(invocation.body?.encoding).toBeUndefined();
  });
});

describe('base64 text (format byte)', () => {
  const byte = (more: object = {}) => ({ type: 'string', format: 'byte', ...more });

  it.each([
    ['with a description', { description: 'The key.' }, 'The key. (base64)'],
    ['without one', {}, 'base64'],
    ['that says so already', { description: 'Base64-encoded key' }, 'Base64-encoded key'],
  ])('is told as such in an argument %s', async (_, more, description) => {
    const { input } = await describeOne(openapi(post(jsonBody(object({ key: byte(more) })))));
    expect(input).toHaveProperty('properties.key', { type: 'string', format: 'byte', description });
  });

  it('is told so where a parameter, or a part of an argument, is it', async () => {
    const parameters = [{ name: 'after', in: 'query', description: 'Where to begin', schema: byte() }];
    const data = { type: 'object', additionalProperties: byte() };
    const { input } = await describeOne(openapi(post({ parameters, ...jsonBody(object({ data })) })));
    expect(input).toMatchObject({
      properties: {
        after: { description: 'Where to begin (base64)' },
        data: { additionalProperties: { description: 'base64' } },
      },
    });
  });

  it('is not told of answers', async () => {
    const schema = object({ key: byte() });
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
    const { operation } = await describeOne(openapi(post({ responses })));
    expect(operation.output).toHaveProperty('properties.key', { type: 'string', format: 'byte' });
  });
});

describe('Swagger 2.0', () => {
  const field = (name: string, more: object): object => ({ name, in: 'formData', type: 'string', ...more });

  it('a body parameter is written as the first fitting type of consumes', async () => {
    const parameters = [
      { in: 'body', name: 'pet', required: true, schema: object({ a: { type: 'string' } }) },
    ];
    const own = swagger(post({ parameters, consumes: ['application/xml', 'application/vnd.x+json'] }));
    expect((await describeOne(own)).bindings).toEqual([
      { arg: 'a', in: 'body', name: 'a', contentType: 'application/vnd.x+json' },
    ]);
    expect((await describeOne(swagger(post({ parameters })))).invocation.body?.contentType).toBe(
      'application/json',
    );
    const global = swagger(post({ parameters }), { consumes: ['application/json; v=2'] });
    expect((await describeOne(global)).invocation.body?.contentType).toBe('application/json; v=2');
  });

  it('a body beside form fields is left out and told', async () => {
    const parameters = [{ in: 'body', name: 'pet', schema: object({ a: {} }) }, field('b', {})];
    const { bindings, codes } = await describeOne(swagger(post({ parameters })));
    expect(bindings.map((binding) => binding.in === 'body' && binding.name)).toEqual(['b']);
    expect(codes).toContain('body-unused');
  });

  it("the operation's own body wins over form fields of the path item, and the other way round", async () => {
    const body = { in: 'body', name: 'pet', schema: object({ a: {} }) };
    const names = async (item: object[], own: object[]) => {
      const document = swagger({ '/a': { parameters: item, post: { parameters: own } } });
      const { bindings, invocation, codes } = await describeOne(document);
      expect(codes).toContain('body-unused');
      return [invocation.body?.contentType, ...bindings.map(({ arg }) => arg)];
    };
    expect(await names([field('b', {})], [body])).toEqual(['application/json', 'a']);
    expect(await names([body], [field('b', {})])).toEqual(['application/x-www-form-urlencoded', 'b']);
    expect(await names([field('b', {}), body], [field('c', {})])).toEqual([
      'application/x-www-form-urlencoded',
      'b',
      'c',
    ]);
  });

  it('form fields are urlencoded unless the document says multipart', async () => {
    const parameters = [
      field('a', { required: true }),
      field('b', { type: 'array', items: { type: 'integer' } }),
    ];
    const { invocation, input, bindings } = await describeOne(swagger(post({ parameters })));
    expect(invocation.body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      required: true,
      encoding: { b: { style: 'form', explode: false } },
    });
    expect(input.required).toEqual(['a']);
    expect(bindings[1]).toEqual({
      arg: 'b',
      in: 'body',
      name: 'b',
      contentType: 'application/x-www-form-urlencoded',
    });
    const multipart = swagger(post({ parameters, consumes: ['multipart/form-data'] }));
    expect((await describeOne(multipart)).invocation.body?.contentType).toBe('multipart/form-data');
  });

  it.each([
    ['csv', { style: 'form', explode: false }],
    ['multi', { style: 'form', explode: true }],
    ['ssv', { style: 'spaceDelimited', explode: false }],
    ['pipes', { style: 'pipeDelimited', explode: false }],
    ['tsv', { style: 'form', explode: false, delimiter: '\t' }],
  ])('an array field in %s', async (collectionFormat, expected) => {
    const parameters = [field('b', { type: 'array', items: { type: 'string' }, collectionFormat })];
    expect((await describeOne(swagger(post({ parameters })))).invocation.body?.encoding).toEqual({
      b: expected,
    });
  });

  it('an array field whose name ends with brackets stands once for each item', async () => {
    const parameters = [field('post[tags][]', { type: 'array', items: { type: 'string' } })];
    const { invocation } = await describeOne(swagger(post({ parameters })));
    expect(invocation.body?.encoding).toEqual({ 'post[tags][]': { style: 'form', explode: true } });
  });

  it('an array field of arrays', async () => {
    const items = { type: 'array', items: { type: 'array', items: {}, collectionFormat: 'ssv' } };
    const parameters = [field('b', { type: 'array', items, collectionFormat: 'pipes' })];
    expect((await describeOne(swagger(post({ parameters })))).invocation.body?.encoding).toEqual({
      b: { style: 'pipeDelimited', explode: false, nested: [',', ' '] },
    });
  });

  it('a body that is one text is bytes where JSON and a type of bytes are consumed', async () => {
    const consumes = ['application/json', 'application/x-tar'];
    const secret = { in: 'body', name: 'request', description: 'Secret', schema: { type: 'string' } };
    const sent = async (more: object, schema: object) => {
      const parameters = [{ ...secret, schema }];
      const { properties, invocation } = await describeOne(swagger(post({ parameters }), more));
      return { property: properties['body'], body: invocation.body };
    };
    expect(await sent({ consumes }, { type: 'string' })).toEqual({
      property: { type: 'string', contentEncoding: 'base64', description: 'Secret (file content, base64)' },
      body: { contentType: 'application/x-tar', required: false, binary: true },
    });
    const json = { body: { contentType: 'application/json', required: false } };
    expect(await sent({ consumes }, { type: 'string', enum: ['a', 'b'] })).toMatchObject(json);
    expect(await sent({ consumes }, { type: 'string', format: 'uuid' })).toMatchObject(json);
    const text = { consumes: ['application/json', 'application/xml'] };
    expect(await sent(text, { type: 'string' })).toMatchObject(json);
  });

  it('a file makes the form multipart whatever consumes says', async () => {
    const parameters = [field('f', { type: 'file', description: 'A file.' })];
    const { invocation, properties } = await describeOne(
      swagger(post({ parameters, consumes: ['application/x-www-form-urlencoded'] })),
    );
    expect(invocation.body).toEqual({
      contentType: 'multipart/form-data',
      required: false,
      encoding: { f: { file: true } },
    });
    expect(properties.f).toEqual({
      type: 'string',
      contentEncoding: 'base64',
      description: 'A file. (file content, base64); named: data:TYPE;name=FILENAME;base64,…',
    });
  });
});

describe('Swagger 2.0 lists of files', () => {
  it('are files', async () => {
    const parameters = [{ name: 'f', in: 'formData', type: 'array', items: { type: 'file' } }];
    const { invocation } = await describeOne(swagger(post({ parameters })));
    expect(invocation.body).toEqual({
      contentType: 'multipart/form-data',
      required: false,
      encoding: { f: { file: true } },
    });
  });
});

describe('bodies that cannot be found', () => {
  it('cost their operation', async () => {
    const { skipped, operations } = await describeText(
      openapi(post({ requestBody: { $ref: '#/components/requestBodies/x' } })),
    );
    expect(operations).toEqual([]);
    expect(skipped[0]?.reason).toContain('#/components/requestBodies/x');
  });

  it('a broken schema inside a body only leaves that place open', async () => {
    const schema = object({ a: { $ref: '#/components/schemas/none' }, b: { type: 'string' } });
    const { properties, description } = await describeOne(openapi(post(jsonBody(schema))));
    expect(properties).toEqual({ a: {}, b: { type: 'string' } });
    expect(description.diagnostics).toMatchObject([
      {
        code: 'reference-broken',
        pointer: '#/paths/~1a/post/requestBody/content/application~1json/schema/properties/a',
      },
    ]);
  });

  it.each(['get', 'delete', 'head'])('a body on %s is sent', async (method) => {
    const { operations } = await describeText(openapi({ '/a': { [method]: jsonBody(object({ q: {} })) } }));
    expect((operations[0]!.invocation as HttpInvocation).body?.contentType).toBe('application/json');
  });
});
