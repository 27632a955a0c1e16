import { describe, expect, it } from 'vitest';
import { inlineReferences, RECURSION_DEPTH } from '../../src/compiler/inline-references.ts';

describe('the profile without references', () => {
  it('puts the target in place of the reference, with what stands beside it', () => {
    expect(
      inlineReferences({
        type: 'object',
        properties: { pet: { $ref: '#/$defs/Pet', description: 'Yours.' } },
        $defs: { Pet: { type: 'object', description: 'A pet.', properties: { name: { type: 'string' } } } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        pet: { type: 'object', description: 'Yours.', properties: { name: { type: 'string' } } },
      },
    });
  });

  it('keeps both sides where they say different things', () => {
    const schema = inlineReferences({
      type: 'object',
      properties: { pet: { $ref: '#/$defs/Pet', required: ['age'] } },
      $defs: { Pet: { type: 'object', required: ['name'] } },
    });
    expect(schema.properties).toEqual({
      pet: { allOf: [{ type: 'object', required: ['name'] }, { required: ['age'] }] },
    });
  });

  it('cuts recursion at the stated depth', () => {
    const schema = inlineReferences({
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' } } } },
    });
    const text = JSON.stringify(schema);
    expect(text.match(/"child"/g)).toHaveLength(RECURSION_DEPTH);
    expect(text).not.toContain('$ref');
    expect(text).toContain('nested deeper than shown here');
  });

  it('stays small for definitions that multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `L${level}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/L${level + 1}` }, b: { $ref: `#/$defs/L${level + 1}` } },
        },
      ]),
    );
    const schema = inlineReferences({ type: 'object', properties: { x: { $ref: '#/$defs/L0' } }, $defs });
    expect(JSON.stringify(schema).length).toBeLessThan(4_000_000);
  });
});
