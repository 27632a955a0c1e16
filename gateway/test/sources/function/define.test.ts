import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { describeFunctions } from '../../../src/sources/function/describe.ts';
import type { FromSchema, ToolArguments, ToolValue } from '../../../src/sources/function/schema-types.ts';

/** Checked by the compiler; nothing of it runs. */
const from = <const S extends { readonly [key: string]: unknown }>(schema: S) =>
  schema as unknown as { type: FromSchema<S> };

describe('the types that follow from a JSON Schema literal', () => {
  it('are those of its values', () => {
    expectTypeOf(from({ type: 'string' }).type).toEqualTypeOf<string>();
    expectTypeOf(from({ type: 'integer' }).type).toEqualTypeOf<number>();
    expectTypeOf(from({ type: ['boolean', 'null'] }).type).toEqualTypeOf<boolean | null>();
    expectTypeOf(from({ enum: ['open', 'closed', 3] }).type).toEqualTypeOf<'open' | 'closed' | 3>();
    expectTypeOf(from({ const: 'fixed' }).type).toEqualTypeOf<'fixed'>();
    expectTypeOf(from({ type: 'array', items: { type: 'number' } }).type).toEqualTypeOf<number[]>();
    expectTypeOf(from({ anyOf: [{ type: 'string' }, { type: 'null' }] }).type).toEqualTypeOf<string | null>();
    expectTypeOf(from({ oneOf: [{ const: 1 }, { type: 'string' }] }).type).toEqualTypeOf<1 | string>();
    expectTypeOf(from({ type: 'object' }).type).toEqualTypeOf<JsonObject>();
    expectTypeOf(from({ $ref: '#/$defs/thing' }).type).toEqualTypeOf<Json>();
    expectTypeOf(from({ type: 'object', additionalProperties: { type: 'number' } }).type).toEqualTypeOf<{
      [key: string]: number;
    }>();
  });

  it('know what is required and what may be missing, at every depth', () => {
    const order = from({
      type: 'object',
      properties: {
        id: { type: 'string' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
        },
        note: { type: 'string' },
      },
      required: ['id', 'lines'],
      additionalProperties: false,
    });
    expectTypeOf(order.type).toEqualTypeOf<{ id: string; lines: Array<{ count: number }>; note?: string }>();
  });

  it('are zod’s own where the schema is zod’s, and any JSON where nothing is said', () => {
    const input = z.object({ page: z.int().default(1) });
    expectTypeOf<ToolArguments<typeof input>>().toEqualTypeOf<{ page: number }>();
    expectTypeOf<ToolArguments<undefined>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<ToolValue<undefined>>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<FromSchema<JsonObject>>().toEqualTypeOf<JsonObject>();
  });
});

describe('defineTool', () => {
  const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
  const output = { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] } as const;

  it('holds the handler to its JSON Schemas, without `as const`', () => {
    const tool = defineTool({
      name: 'count_words',
      description: 'Counts words.',
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      output: { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
      handler: ({ text }) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        return { words: text.split(/\s+/).length };
      },
    });
    expect(tool.handler({ text: 'two words' }, {} as never)).toEqual({ words: 2 });
  });

  it('refuses a handler that does something else, at compile time', () => {
    defineTool({
      name: 'a',
      description: 'd',
      input,
      // @ts-expect-error there is no argument of that name
      handler: ({ txt }) => txt,
    });
    defineTool({
      name: 'b',
      description: 'd',
      input,
      output,
      // @ts-expect-error the answer has words as a number
      handler: ({ text }) => ({ words: text }),
    });
    defineTool({
      name: 'c',
      description: 'd',
      input: z.object({ n: z.number() }),
      output: z.object({ square: z.number() }),
      // @ts-expect-error the answer lacks its member
      handler: ({ n }) => ({ squared: n * n }),
    });
  });

  it('keeps tools without schemas as they were', () => {
    const tool = defineTool({ name: 'now', description: 'd', handler: () => new Date(0).toISOString() });
    expect(tool.handler({}, {} as never)).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('the contract of a function', () => {
  const described = (more: object) =>
    describeFunctions('desk', { tools: [{ name: 't', description: 'd', handler: () => null, ...more }] })
      .operations[0]!;

  it('carries time, cost, budget and safety into the operation', () => {
    const operation = described({
      access: 'write',
      timeoutMs: 5000,
      cost: { usd: 0.01, typicalMs: 300 },
      budget: { calls: 100 },
      safety: { network: false, file: true },
      idempotent: true,
    });
    expect(operation).toMatchObject({
      limits: { timeoutMs: 5000 },
      cost: { usd: 0.01, typicalMs: 300 },
      budget: { calls: 100 },
      safety: { network: false, file: true, destructive: false, idempotent: true, openWorld: true },
    });
  });

  it('shows the inputs of its examples', () => {
    expect(described({ examples: [{ input: { a: 1 }, output: 2 }] }).input['examples']).toEqual([{ a: 1 }]);
  });

  it.each([
    ['timeoutMs', { timeoutMs: 0 }],
    ['cost', { cost: { usd: -1 } }],
    ['budget', { budget: { calls: Number.NaN } }],
    ['budget', { budget: { per: 'run' } }],
    ['budget.windowMs', { budget: { calls: 1, windowMs: 0 } }],
  ])('refuses a %s that limits nothing: %j', (member, more) => {
    expect(() => described(more)).toThrow(`The ${member} of function t of source desk cannot be used.`);
  });
});
