import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/operations/index.ts';
import { describeText, jsonBody, openapi, post } from '../describing.ts';

const ref = ($ref: string): JsonObject => ({ $ref });
const A = 'https://schemas.example/v1/a';

/** What a body property `v` of this schema becomes, and the codes of diagnostics. */
async function converted(v: object, schemas: object, files: Record<string, object>, more: object) {
  const document = openapi(post(jsonBody({ type: 'object', properties: { v } })), {
    components: { schemas },
  });
  const { operations, diagnostics } = await describeText({ ...document, ...more }, {}, files);
  const { properties, $defs } = operations[0]!.input as { properties: JsonObject; $defs?: JsonObject };
  return { v: properties['v'], $defs, codes: diagnostics.map(({ code }) => code) };
}

const modern = { openapi: '3.1.0' };

describe('`$id` in schemas (OpenAPI 3.1)', () => {
  const schemas = {
    A: {
      $id: A,
      properties: {
        pointer: ref('#/$defs/X'),
        anchor: ref('#named'),
        sibling: ref('b'),
        document: ref('#/components/schemas/C'),
        self: ref('#'),
      },
      $defs: { X: { type: 'integer' }, Y: { $anchor: 'named', type: 'boolean' } },
    },
    B: { $id: 'https://schemas.example/v1/b', type: 'string' },
    C: { type: 'number' },
  };
  const expected = {
    pointer: ref('#/$defs/_defs_X'),
    anchor: ref('#/$defs/named'),
    sibling: ref('#/$defs/b'),
    document: ref('#/$defs/C'),
  };

  it.each([
    ['#/components/schemas/A', 'A'],
    [A, 'a'],
  ])('is what references below it are relative to, and a name of the schema: %s', async (reference, name) => {
    const { v, $defs, codes } = await converted(ref(reference), schemas, {}, modern);
    expect(v).toEqual(ref(`#/$defs/${name}`));
    expect($defs).toEqual({
      [name]: { properties: { ...expected, self: ref(`#/$defs/${name}`) } },
      _defs_X: { type: 'integer' },
      named: { type: 'boolean' },
      b: { type: 'string' },
      C: { type: 'number' },
    });
    expect(codes).toEqual([]);
  });

  it('may be relative to another, and each has anchors of its own', async () => {
    const nested = {
      $id: 'https://schemas.example/',
      $defs: { N: { $id: 'n/x', $defs: { a: { $anchor: 'it', type: 'integer' } } } },
    };
    const other = { $id: 'other', $defs: { a: { $anchor: 'it', type: 'string' } } };
    const v = { anyOf: [ref('https://schemas.example/n/x#it'), ref('other#it')] };
    const { $defs, codes } = await converted(v, { nested, other }, {}, modern);
    expect(Object.values($defs!)).toEqual([{ type: 'integer' }, { type: 'string' }]);
    expect(codes).toEqual([]);
  });

  it('counts in other files; what it does not lead to lies beside the file', async () => {
    const files = {
      'user.json': {
        $id: 'https://schemas.example/user.json',
        properties: {
          address: ref('address.json'),
          key: { $id: 'key', $ref: '#/$defs/K', $defs: { K: { type: 'null' } } },
        },
      },
      'address.json': { type: 'string' },
    };
    const { $defs, codes } = await converted(ref('user.json'), {}, files, modern);
    expect($defs).toEqual({
      user: { properties: { address: ref('#/$defs/address'), key: ref('#/$defs/_defs_K') } },
      address: { type: 'string' },
      _defs_K: { type: 'null' },
    });
    expect(codes).toEqual([]);
  });

  it('means nothing in OpenAPI 3.0, in examples and as the name of a property', async () => {
    const schema = {
      $id: 'A',
      properties: { $id: { type: 'string' }, c: ref('#/components/schemas/C') },
      example: { $id: 'B' },
    };
    const { $defs, codes } = await converted(
      ref('#/components/schemas/A'),
      { A: schema, C: {} },
      {},
      { openapi: '3.0.3' },
    );
    expect($defs).toEqual({ A: { properties: { $id: { type: 'string' }, c: ref('#/$defs/C') } }, C: {} });
    expect(codes).toEqual([]);
  });
});

describe('`$dynamicRef`', () => {
  const item = (schema: object) => ({ item: { $dynamicAnchor: 'item', ...schema } });
  const list = { $id: 'list', type: 'array', items: { $dynamicRef: '#item' } };

  it('leads to the only schema with the anchor, in whatever file', async () => {
    const files = { 'list.json': { ...list, $defs: item({ type: 'integer' }) } };
    const { $defs } = await converted(ref('list.json'), {}, files, modern);
    expect($defs).toEqual({ list: { type: 'array', items: ref('#/$defs/item') }, item: { type: 'integer' } });
  });

  it('accepts anything where several have it: the default may forbid what another allows', async () => {
    const schemas = {
      List: { ...list, $defs: item({ not: {} }) },
      Names: { $id: 'names', $ref: 'list', $defs: item({ type: 'string' }) },
    };
    const { $defs, codes } = await converted(ref('#/components/schemas/Names'), schemas, {}, modern);
    expect($defs).toEqual({ Names: ref('#/$defs/list'), list: { type: 'array', items: {} } });
    expect(codes).toEqual(['reference-dynamic']);
  });
});

it('a reference relative to `$self` (3.2) stays within the document', async () => {
  const more = { openapi: '3.2.0', $self: 'https://api.example/main.yaml' };
  const { $defs, codes } = await converted(
    ref('main.yaml#/components/schemas/C'),
    { C: { type: 'number' } },
    {},
    more,
  );
  expect([$defs, codes]).toEqual([{ C: { type: 'number' } }, []]);
});
