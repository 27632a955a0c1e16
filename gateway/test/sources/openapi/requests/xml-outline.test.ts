import { describe, expect, test } from 'vitest';
import { describeOne, openapi, post, swagger } from '../describing.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const body = (schema: object, more: object = {}) =>
  post({ requestBody: { required: true, ...more, content: { 'application/xml': { schema } } } });

/** What a model is told of a body. */
async function told(schema: object, schemas: object = {}, version = '3.1.0', more: object = {}) {
  const document = { ...openapi(body(schema, more), { components: { schemas } }), openapi: version };
  const { properties } = await describeOne(document);
  return (properties.body as { description: string }).description;
}

const outline = async (...given: Parameters<typeof told>) =>
  (await told(...given)).replace(/^XML document as text: /, '');

const documentOf = (properties: object, more: object = {}) => ({
  type: 'object',
  xml: { name: 'document' },
  properties,
  ...more,
});

describe('what a model is told of an XML body', () => {
  test('is its elements with what they hold, and which it needs', async () => {
    const schema = documentOf(
      {
        id: { type: 'integer', format: 'int64' },
        name: text,
        status: { type: 'string', enum: ['available', 'sold'] },
        at: { type: 'string', format: 'date-time' },
      },
      { required: ['name'] },
    );
    expect(await told(schema)).toBe(
      'XML document as text: <document><id>integer</id><name>string, required</name><status>available|sold</status><at>date-time</at></document>',
    );
  });

  test('says of lists and objects too that they are needed', async () => {
    const schema = documentOf(
      {
        bare: { type: 'array', items: text },
        wrapped: { type: 'array', xml: { wrapped: true }, items: text },
        inner: { type: 'object', properties: { a: text } },
      },
      { required: ['bare', 'wrapped', 'inner'] },
    );
    expect(await outline(schema)).toBe(
      '<document><bare>string, required</bare>…<wrapped><!--required--><wrapped>string</wrapped>…</wrapped><inner><!--required--><a>string</a></inner></document>',
    );
  });

  test.each(['A pet', 'A pet.'])(
    'stands behind what the document says of the body: %s',
    async (description) => {
      expect(await told(documentOf({ a: text }), {}, '3.1.0', { description })).toBe(
        'A pet. XML document as text: <document><a>string</a></document>',
      );
    },
  );

  test('is that it is XML, where its root has no name', async () => {
    expect(await told({ type: 'object', properties: { a: text } })).toBe('XML document as text');
    expect(await told({})).toBe('XML document as text');
  });

  test('is of Swagger 2.0 too', async () => {
    const document = swagger(
      post({
        consumes: ['application/xml'],
        parameters: [{ in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
      }),
      { definitions: { Pet: { type: 'object', properties: { name: text } } } },
    );
    const { properties } = await describeOne(document);
    expect(properties.body).toMatchObject({
      description: 'XML document as text: <Pet><name>string</name></Pet>',
    });
  });

  test('leaves out what only answers hold', async () => {
    expect(await outline(documentOf({ id: { ...text, readOnly: true }, a: text }))).toBe(
      '<document><a>string</a></document>',
    );
  });
});

describe('names and nodes', () => {
  const person = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', format: 'int32', xml: { attribute: true } },
      name: { ...text, xml: { namespace: 'https://example.com/schema/sample', prefix: 'sample' } },
    },
  };
  const written =
    '<Person id="integer, required"><sample:name xmlns:sample="https://example.com/schema/sample">string</sample:name></Person>';

  test('attributes, prefixes and namespaces', async () => {
    expect(await outline(ref('Person'), { Person: person })).toBe(written);
    const { id, name } = person.properties;
    const properties = { id: { ...id, xml: { nodeType: 'attribute' } }, name };
    expect(await outline(ref('Person'), { Person: { ...person, properties } }, '3.2.0')).toBe(written);
  });

  test.each<[what: string, animals: object, expected: string]>([
    ['a bare list', { items: text }, '<animals>string</animals>…'],
    ['named items', { items: { ...text, xml: { name: 'animal' } } }, '<animal>string</animal>…'],
    [
      'a list whose name has no effect',
      { xml: { name: 'aliens' }, items: text },
      '<animals>string</animals>…',
    ],
    ['wrapped', { xml: { wrapped: true }, items: text }, '<animals><animals>string</animals>…</animals>'],
    [
      'wrapped, with both names',
      { xml: { wrapped: true, name: 'aliens' }, items: { ...text, xml: { name: 'animal' } } },
      '<aliens><animal>string</animal>…</aliens>',
    ],
    [
      'wrapped, with the name of the wrapper',
      { xml: { nodeType: 'element', name: 'aliens' }, items: text },
      '<aliens><aliens>string</aliens>…</aliens>',
    ],
  ])('lists: %s', async (_what, animals, expected) => {
    const schema = documentOf({ animals: { type: 'array', ...animals } });
    expect(await outline(schema)).toBe(`<document>${expected}</document>`);
  });

  test('text and CDATA beside attributes, in a list that is the root', async () => {
    const items = {
      xml: { name: 'animal' },
      properties: {
        kind: { ...text, xml: { nodeType: 'attribute' } },
        name: { ...text, xml: { nodeType: 'text' } },
        note: { ...text, xml: { nodeType: 'cdata' } },
      },
    };
    const schema = { type: 'array', xml: { nodeType: 'element', name: 'animals' }, items };
    expect(await outline(schema, {}, '3.2.0')).toBe(
      '<animals><animal kind="string">string<![CDATA[string]]></animal>…</animals>',
    );
  });

  test('a reference has the name of its place, and since 3.2 that of its component', async () => {
    const schemas = { Category: { type: 'object', properties: { id: { type: 'integer' } } } };
    const schema = documentOf({ kind: ref('Category') });
    expect(await outline(schema, schemas, '3.0.3')).toBe(
      '<document><kind><id>integer</id></kind></document>',
    );
    expect(await outline(schema, schemas, '3.2.0')).toBe(
      '<document><Category><id>integer</id></Category></document>',
    );
  });

  test('parts of allOf are one element', async () => {
    const schemas = {
      Base: { type: 'object', properties: { id: text } },
      Pet: { allOf: [ref('Base'), { type: 'object', properties: { name: text } }] },
    };
    expect(await outline(ref('Pet'), schemas)).toBe('<Pet><id>string</id><name>string</name></Pet>');
  });
});

describe('bounds', () => {
  test('what leads back into itself is cut', async () => {
    const schemas = {
      Node: { type: 'object', properties: { name: text, child: ref('Node') } },
    };
    expect(await outline(ref('Node'), schemas)).toBe('<Node><name>string</name><child>…</child></Node>');
  });

  test('what is met first where it is too deep is shown further up', async () => {
    const level = (next: object) => ({ type: 'object', properties: { next } });
    const schemas = {
      L0: level(ref('L1')),
      L1: level(ref('L2')),
      L2: level(ref('L3')),
      L3: level(ref('L4')),
      L4: level(ref('Leaf')),
      Leaf: { type: 'object', properties: { a: text } },
    };
    const far = documentOf({ far: ref('L0'), near: ref('Leaf') });
    expect(await outline(far, schemas)).toMatch(/<next>…<\/next>.*<near><a>string<\/a><\/near>/);
  });

  test('what is long is shown less deep, and what stays long not at all', async () => {
    const wide = (count: number, schema: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, schema]));
    const inner = { type: 'object', properties: wide(30, text) };
    expect(await outline(documentOf(wide(10, inner)))).toMatch(/^<document><member0>…<\/member0>/);
    expect(await told(documentOf(wide(500, text)))).toBe('XML document as text');
  });

  test('what is wide and deep is not walked through', async () => {
    const level = (next: object) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, next])),
    });
    const schemas = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`L${at}`, level(at === 7 ? text : ref(`L${at + 1}`))]),
    );
    expect(await outline(ref('L0'), schemas)).toMatch(/^<L0><m0>…<\/m0>.*<m39>…<\/m39><\/L0>$/);
  });

  test('names that are none are not written', async () => {
    const schema = documentOf({ '<script>': text, a: { ...text, xml: { prefix: '" x="' } } });
    expect(await outline(schema)).toBe('<document><a>string</a></document>');
  });
});
