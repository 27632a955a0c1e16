import { expect, it } from 'vitest';
import { References } from '../../../../src/sources/openapi/read/references.ts';
import { hasIdleBranch } from '../../../../src/sources/openapi/schemas/one-of.ts';
import { createValidator } from '../../../../src/validation/validator.ts';
import { processorTime } from '../../../processor-time.ts';
import { describeText, openapi } from '../describing.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const named = object({ kind: text, name: text }, { required: ['kind', 'name'] });
const sized = object({ kind: text, size: { type: 'integer' } }, { required: ['kind'] });

/** A cycle, and parts that meet again on every level: read as a tree, they are endless, or as good as that. */
const schemas: Record<string, object> = {
  Name: text,
  Named: named,
  Loop: object({ next: { $ref: '#/components/schemas/Loop' }, more: { $ref: '#/components/schemas/Ring' } }),
  Ring: object({ next: { $ref: '#/components/schemas/Ring' }, more: { $ref: '#/components/schemas/Loop' } }),
};
for (let level = 0; level < 60; level++) {
  const next = { $ref: `#/components/schemas/D${level + 1}` };
  schemas[`D${level}`] = { allOf: [next, next, object({ [`p${level}`]: text })] };
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const references = new References({ components: { schemas } } as never, new Map(), (reference) => reference);
const idle = (...branches: unknown[]) => hasIdleBranch(references, branches as never);

it.each<[string, unknown[]]>([
  ['objects that may all be empty', [object({ a: text }), object({ b: text })]],
  ['one that asks for less than another', [named, sized]],
  ['one that asks for less, behind references and parts', [{ allOf: [ref('Named'), {}] }, sized]],
  ['the same twice', [named, named]],
  ['a number and an integer', [{ type: 'number' }, { type: 'integer' }]],
  [
    'texts of two formats',
    [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'uuid' },
    ],
  ],
  ['any text and some words', [text, { type: 'string', enum: ['a', 'b'] }]],
  ['a word among several', [{ enum: ['a', 'b'] }, { const: 'a' }]],
  [
    'lists of them',
    [
      { type: 'array', items: text },
      { type: 'array', items: ref('Name') },
    ],
  ],
  ['anything', [{}, { type: 'object' }]],
  [
    'the smaller of two closed ones',
    [
      object({ a: text, b: text }, { additionalProperties: false }),
      object({ a: text }, { additionalProperties: false }),
    ],
  ],
])('%s: one branch would never be the only one', (_what, branches) => {
  expect(idle(...branches)).toBe(true);
});

it.each<[string, unknown[]]>([
  [
    'what each asks for',
    [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })],
  ],
  ['the words of a member', [object({ kind: { enum: ['a'] } }), object({ kind: { enum: ['b'] } })]],
  ['the types of a member', [object({ id: text }), object({ id: { type: 'integer' } })]],
  ['types', [text, { type: 'integer' }, { type: 'null' }]],
  [
    'patterns',
    [
      { type: 'string', pattern: '^a' },
      { type: 'string', pattern: '^b' },
    ],
  ],
  [
    'lengths',
    [
      { type: 'string', maxLength: 3 },
      { type: 'string', minLength: 4 },
    ],
  ],
  [
    'items',
    [
      { type: 'array', items: text },
      { type: 'array', items: { type: 'integer' } },
    ],
  ],
  [
    'closed objects with other members',
    [
      object({ a: text }, { additionalProperties: false }),
      object({ b: text }, { additionalProperties: false }),
    ],
  ],
  [
    'what cannot be told',
    [object({ a: text }, { not: { required: ['b'] } }), object({ b: text }, { required: ['b'] })],
  ],
  ['parts that contradict each other', [{ allOf: [text, { type: 'integer' }] }, named]],
  ['a broken reference', [ref('Missing'), named]],
])('%s tell branches apart', (_what, branches) => {
  expect(idle(...branches)).toBe(false);
});

it('is told soon of what goes round in circles, or meets again and again', async () => {
  const spent = await processorTime(() => {
    expect(typeof idle(ref('Loop'), ref('Ring'))).toBe('boolean');
    expect(idle(ref('D0'), object({ a: text }, { required: ['a'] }))).toBe(false);
    expect(idle(...Array.from({ length: 3_000 }, (_, at) => ({ const: at })))).toBe(false);
  });
  expect(spent).toBeLessThan(5_000);
});

it('in a request any branch may fit then, and a diagnostic says so; in an answer nothing changes', async () => {
  const either = { oneOf: [named, sized] };
  const content = { 'application/json': { schema: either } };
  const description = await describeText(
    openapi({
      '/calls': {
        post: {
          operationId: 'call',
          requestBody: { required: true, content },
          responses: { 200: { description: 'D', content } },
        },
      },
    }),
  );
  const [operation] = description.operations;
  expect(description.diagnostics).toMatchObject([
    {
      code: 'branches-overlap',
      pointer: '#/paths/~1calls/post/requestBody/content/application~1json/schema/oneOf',
    },
  ]);
  const { validate } = createValidator();
  const fits = (body: object) => validate(operation!.input, { body } as never).valid;
  expect([fits({ kind: 'phone', name: 'Ada' }), fits({ kind: 'sip', size: 1 }), fits({ size: 1 })]).toEqual([
    true,
    true,
    false,
  ]);
  expect(JSON.stringify(operation!.output)).toContain('oneOf');
});
