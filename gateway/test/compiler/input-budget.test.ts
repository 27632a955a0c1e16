import { describe, expect, it } from 'vitest';
import { createInputFitter, HARD_INPUT_BUDGET, SOFT_INPUT_BUDGET } from '../../src/compiler/input-budget.ts';
import { SchemaSizes } from '../../src/compiler/schema-sizes.ts';
import type { JsonSchema } from '../../src/operations/index.ts';

const fit = (schema: JsonSchema) => createInputFitter(new SchemaSizes(), 400)(schema);
const text = (length: number) => 'Words that explain. '.repeat(length / 20);
const definitions = (count: number, descriptionLength: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `D${index}`,
      {
        type: 'object',
        description: text(descriptionLength),
        properties: {
          next: { $ref: `#/$defs/D${(index + 1) % count}` },
          name: { type: 'string', maxLength: 9 },
        },
      },
    ]),
  );

describe('an input schema within its budget', () => {
  it('is left as it is while it is small', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'Short.' } } };
    expect(fit(schema)).toEqual({ schema, opened: 0 });
  });

  it('keeps the texts of its arguments and loses those below first', () => {
    const { schema, opened } = fit({
      type: 'object',
      properties: { a: { $ref: '#/$defs/D0', description: 'What to send.' } },
      $defs: definitions(60, 300),
    });
    expect(opened).toBe(0);
    expect(JSON.stringify(schema).length).toBeLessThan(SOFT_INPUT_BUDGET);
    expect(schema.properties).toMatchObject({ a: { description: 'What to send.' } });
    expect(JSON.stringify(schema)).toContain('"maxLength":9');
  });

  it('opens the definitions that are farthest from the arguments', () => {
    const { schema, opened } = fit({
      type: 'object',
      properties: { a: { $ref: '#/$defs/D0' } },
      $defs: definitions(1500, 0),
    });
    const kept = schema.$defs as Record<string, JsonSchema>;
    expect(opened).toBeGreaterThan(0);
    expect(JSON.stringify(schema).length).toBeLessThan(HARD_INPUT_BUDGET * 1.2);
    expect(kept.D0).toHaveProperty('properties');
    expect(Object.values(kept).filter((definition) => !('properties' in definition))).toHaveLength(opened);
  });

  it('refuses nothing that it accepted: unions of opened definitions stay open', () => {
    const $defs = definitions(1500, 0);
    const { schema } = fit({
      type: 'object',
      properties: {
        a: { oneOf: [{ $ref: '#/$defs/D0' }, { $ref: '#/$defs/D1' }], not: { required: ['x'] } },
      },
      $defs,
    });
    expect(schema.properties).toEqual({ a: { anyOf: [{ $ref: '#/$defs/D0' }, { $ref: '#/$defs/D1' }] } });
  });

  it('keeps the type of an argument that alone is too large', () => {
    const values = Array.from({ length: 200_000 }, (_, index) => `v${index}`);
    const { schema, opened } = fit({ type: 'object', properties: { e: { type: 'string', enum: values } } });
    expect(opened).toBe(1);
    expect(schema.properties).toEqual({ e: { type: 'string', description: expect.any(String) } });
  });
});
