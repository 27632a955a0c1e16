import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonSchema } from '../../../src/operations/index.ts';
import { shortSchema } from '../../../src/topology/finding/short-schema.ts';
import fc from '../../properties.ts';

const text = (length: number) => 'word '.repeat(Math.ceil(length / 5)).slice(0, length);
const properties = (schema: JsonSchema) => schema['properties'] as Record<string, JsonSchema>;
const short = (schema: JsonSchema, length = 400) => shortSchema(schema, length);

describe('an input schema in short', () => {
  it('is the schema itself where that fits', () => {
    const schema: JsonSchema = { type: 'object', properties: { id: { type: 'string', title: 'Id' } } };
    expect(short(schema)).toEqual({ schema, whole: true });
  });

  it('has required properties first and cuts texts between words', () => {
    const { schema, whole } = short({
      type: 'object',
      properties: {
        note: { type: 'string', description: text(300) },
        id: { type: 'integer', minimum: 1, description: text(300) },
      },
      required: ['id'],
    });
    expect(whole).toBe(false);
    expect(Object.keys(properties(schema))).toEqual(['id', 'note']);
    expect(schema['required']).toEqual(['id']);
    expect(properties(schema)['id']).toMatchObject({ type: 'integer', minimum: 1 });
    expect(properties(schema)['id']!['description']).toMatch(/^word .*word…$/);
  });

  it('puts what a reference leads to in its place, and names what is below it', () => {
    const { schema } = short({
      type: 'object',
      properties: { pet: { $ref: '#/$defs/Pet', description: text(200) } },
      required: ['pet'],
      $defs: {
        Pet: { type: 'object', properties: { name: { type: 'string' }, owner: { $ref: '#/$defs/Owner' } } },
        Owner: { type: 'object', properties: { name: { type: 'string', description: text(400) } } },
      },
    });
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(properties(properties(schema)['pet']!)).toEqual({
      name: { type: 'string' },
      owner: { type: 'object', description: 'Owner' },
    });
  });

  it('ends where definitions lead back to themselves', () => {
    const { schema } = short({
      type: 'object',
      properties: { where: { $ref: '#/$defs/Where' }, long: { type: 'string', description: text(500) } },
      $defs: {
        Where: { type: 'object', properties: { and: { type: 'array', items: { $ref: '#/$defs/Where' } } } },
      },
    });
    expect(JSON.stringify(schema)).toContain('"description":"Where"');
  });

  it('says no more than the names of optional properties where there are very many', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`field${index}`, { type: 'string' }]),
    );
    const { schema } = short(
      { type: 'object', properties: { ...many, id: { type: 'string' } }, required: ['id'] },
      800,
    );
    expect(Object.keys(properties(schema))).toEqual(['id']);
    expect(schema['description']).toMatch(/^Further arguments: field0, field1, .* \+\d+$/);
  });

  it('names filters of many fields as families, so that what a body holds is named beside them', () => {
    const fields = ['authorId', 'available', 'cover', 'isbn', 'meta', 'publishedAt'];
    const ways = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'in', 'nin', 'contains'];
    const filters = fields.flatMap((field) => ways.map((way) => `where.${field}.${way}`));
    const all = ['limit', ...filters, 'title', 'isbn'];
    const { schema } = short(
      {
        type: 'object',
        properties: Object.fromEntries(all.map((name) => [name, { type: 'string' }])),
        required: ['title'],
      },
      800,
    );
    expect(schema['description']).toBe(
      `Further arguments: limit, isbn, where.{${fields.join(', ')}}.{${ways.join(', ')}}`,
    );
  });

  it('shortens long enumerations and drops patterns that are long', () => {
    const { schema } = short({
      type: 'object',
      properties: {
        state: { enum: Array.from({ length: 200 }, (_, index) => `state-${index}`) },
        code: { type: 'string', pattern: text(200) },
      },
    });
    expect((properties(schema)['state']!['enum'] as Json[]).length).toBeLessThanOrEqual(30);
    expect(properties(schema)['code']).toEqual({ type: 'string' });
  });

  it('keeps names that objects are made with as names', () => {
    const schema = JSON.parse(
      `{"type":"object","properties":{"__proto__":{"type":"string","description":"${text(600)}"},"constructor":{"type":"number"}},"required":["__proto__"]}`,
    );
    const names = Object.keys(properties(short(schema).schema));
    expect(names).toEqual(['__proto__', 'constructor']);
  });

  it('does not take long for a schema whose definitions multiply', () => {
    const level = (next: string) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`p${index}`, { $ref: next }]),
      ),
    });
    const schema = {
      ...level('#/$defs/a'),
      $defs: { a: level('#/$defs/b'), b: level('#/$defs/c'), c: level('#/$defs/a') },
    } as unknown as JsonSchema;
    expect(JSON.stringify(short(schema, 2400).schema).length).toBeLessThanOrEqual(2400);
  });

  it('never is longer than it may be, and always JSON of the same arguments', () => {
    const leaf = fc.record({
      type: fc.constantFrom('string', 'integer'),
      description: fc.string({ maxLength: 300 }),
    });
    const schemas = fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), leaf, { maxKeys: 60 }),
    });
    fc.assert(
      fc.property(schemas, fc.integer({ min: 1000, max: 3000 }), (input, length) => {
        const schema = input as unknown as JsonSchema;
        const all = properties(schema);
        const required = Object.keys(all).slice(0, 3);
        const result = shortSchema({ ...schema, required }, length);
        expect(JSON.stringify(result.schema).length).toBeLessThanOrEqual(length);
        const shown = result.schema['properties'];
        for (const name of isObject(shown) ? Object.keys(shown) : [])
          expect(Object.hasOwn(all, name)).toBe(true);
        for (const name of required) expect(Object.keys(shown as object)).toContain(name);
      }),
    );
  });
});
