import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleArguments } from '../../../../../src/server/http/routes/tools/example-arguments.ts';
import { createValidator } from '../../../../../src/validation/validator.ts';

const object = (properties: object, required: string[] = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as never;

describe('example arguments', () => {
  it('takes what the schema states before what is made up', () => {
    const schema = object({
      city: { type: 'string', examples: ['Lisbon'] },
      unit: { enum: ['celsius', 'fahrenheit'] },
      days: { type: 'integer', minimum: 3 },
      kind: { const: 'forecast' },
      when: { type: 'string', format: 'date' },
      who: { type: 'string', format: 'email' },
    });
    expect(exampleArguments(schema)).toEqual({
      arguments: {
        city: 'Lisbon',
        unit: 'celsius',
        days: 3,
        kind: 'forecast',
        when: '2026-01-31',
        who: 'person@example.com',
      },
      made: ['/days', '/when', '/who'],
    });
    expect(exampleArguments({ type: 'object', examples: [{ a: 1 }] })).toEqual({
      arguments: { a: 1 },
      made: [],
    });
  });

  it('leaves out what is not required, and follows references and choices', () => {
    const schema = {
      type: 'object',
      properties: {
        body: { $ref: '#/$defs/Body' },
        extra: { type: 'string' },
        either: { oneOf: [{ type: 'array', items: { type: 'boolean' }, minItems: 1 }, { type: 'string' }] },
        nothing: { type: 'null' },
      },
      required: ['body', 'either', 'nothing'],
      $defs: {
        Body: {
          type: 'object',
          properties: { 'a/b': { type: 'number' }, tree: { $ref: '#/$defs/Body' } },
          required: ['a/b', 'tree'],
        },
      },
    } as never;
    const { arguments: args, made } = exampleArguments(schema);
    expect(Object.keys(args)).toEqual(['body', 'either', 'nothing']);
    expect(args).toMatchObject({ body: { 'a/b': 1, tree: { 'a/b': 1 } }, either: [true], nothing: null });
    expect(made).toContain('/body/a~1b');
  });

  it('fits the schema it is made from', async () => {
    const validator = createValidator();
    await validator.ready();
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(30) }),
      fc.record({ type: fc.constant('string'), maxLength: fc.nat(30) }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('number'), maximum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 9 }) }),
      fc.constant({ type: 'boolean' }),
      fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('array'), items: fc.constant({ type: 'string' }), minItems: fc.nat(3) }),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small', maxDepth: 3 }, leaf, tie('nested')),
      nested: fc
        .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('tree'), { maxKeys: 3 })
        .map((properties) => object(properties)),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tree, { maxKeys: 4 }), (properties) => {
        const schema = object(properties);
        expect(validator.validate(schema, exampleArguments(schema).arguments)).toEqual({ valid: true });
      }),
      { numRuns: 200 },
    );
  });
});
