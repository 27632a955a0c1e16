import { describe, expect, it } from 'vitest';
import { createOutputRelaxer, exceedsRelaxed } from '../../src/compiler/relax-output.ts';

describe('relaxed output schemas', () => {
  const relax = createOutputRelaxer();

  it('keep the shape and drop the promises', () => {
    expect(
      relax({
        type: 'object',
        required: ['state'],
        additionalProperties: false,
        properties: {
          state: { type: 'string', enum: ['open', 'closed'], description: 'Where it stands.' },
          count: { type: ['integer', 'null'], minimum: 0 },
          tags: { type: 'array', items: { type: 'string', pattern: '^a' }, minItems: 1 },
        },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        state: { type: ['string', 'null'], description: 'Where it stands.' },
        count: { type: ['integer', 'null'] },
        tags: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
      },
    });
  });

  it('turn oneOf into anyOf, since loosened branches may both match', () => {
    expect(
      relax({
        type: 'object',
        properties: { a: { oneOf: [{ type: 'string', maxLength: 2 }, { type: 'string' }] } },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { anyOf: [{ type: ['string', 'null'] }, { type: ['string', 'null'] }] } },
    });
  });

  it('work on shared definitions once', () => {
    const shared = { type: 'object', properties: { id: { type: 'integer' } } };
    const first = relax({ type: 'object', properties: { a: { $ref: '#/$defs/S' } }, $defs: { S: shared } });
    const second = relax({ type: 'object', properties: { b: { $ref: '#/$defs/S' } }, $defs: { S: shared } });
    expect((first.$defs as Record<string, unknown>).S).toBe((second.$defs as Record<string, unknown>).S);
  });
});

describe('whether a relaxed schema is too large', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`property_${index}`, { type: 'string', maxLength: 9 }]),
  );
  const relaxed = JSON.stringify(createOutputRelaxer()({ type: 'object', properties })).length;

  it.each([
    ['names and types are certain to stay', { type: 'object', properties }, 500, true],
    ['never said of what fits', { type: 'object', properties }, relaxed, false],
    ['promises go', { type: 'object', required: Object.keys(properties) }, 100, false],
    ['texts may be shortened', { type: 'object', description: 'x'.repeat(5000) }, 200, false],
    ['definitions count', { type: 'object', $defs: { A: { type: 'object', properties } } }, 500, true],
  ])('%s', (_rule, schema, limit, exceeds) => {
    expect(exceedsRelaxed(schema, limit)).toBe(exceeds);
  });
});
