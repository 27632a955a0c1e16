import { expect, test } from 'vitest';
import type { CompletedResult, Tool } from '../../../src/operations/index.ts';
import { ERROR_META_KEY, toolResultOf } from '../../../src/server/mcp/tool-results.ts';

const plain = { name: 't', description: '', inputSchema: { type: 'object' } } as unknown as Tool;
const declaring: Tool = { ...plain, outputSchema: { type: 'object' } };
const content = [{ type: 'text', text: 'x' }] as const;
const of = (result: Partial<CompletedResult>, tool = plain, anyStructured = false) =>
  toolResultOf({ kind: 'completed', content, ...result }, { tool, anyStructured });

test('structured content goes out where the revision can carry it', () => {
  expect(of({ structured: { a: 1 } })).toEqual({ content, structuredContent: { a: 1 } });
  expect(of({ structured: [1] })).toEqual({ content });
  expect(of({ structured: [1] }, plain, true)).toEqual({ content, structuredContent: [1] });
});

test('an error has its code, message and next step as text and for programs', () => {
  const error = { code: 'upstream_status', message: 'The service answered 404.', status: 404 } as const;
  const details = { code: 'upstream_status', message: error.message, next: expect.any(String), status: 404 };
  expect(of({ content: [], error })).toEqual({
    content: [
      { type: 'text', text: expect.stringMatching(/^upstream_status: The service answered 404\.\n./) },
    ],
    isError: true,
    structuredContent: { error: details },
    _meta: { [ERROR_META_KEY]: details },
  });
});

test('an error of a tool that declares its output says nothing there that clients would refuse', () => {
  const error = { code: 'upstream_failed', message: 'm' } as const;
  const result = of({ error, structured: { whatever: 1 }, breaksPublished: true }, declaring);
  expect(result).toMatchObject({
    isError: true,
    content,
    _meta: { [ERROR_META_KEY]: { code: 'upstream_failed' } },
  });
  expect(result).not.toHaveProperty('structuredContent');
  expect(of({ error }, declaring)).not.toHaveProperty('structuredContent');
});

test('what a tool says of its failure in structured content is passed on', () => {
  const failed = {
    error: { code: 'tool_failed', message: 'm' },
    structured: { code: 'DEPRECATED' },
  } as const;
  for (const tool of [plain, declaring]) {
    expect(of(failed, tool)).toMatchObject({ isError: true, structuredContent: { code: 'DEPRECATED' } });
  }
  expect(of({ ...failed, structured: ['x'] })).toMatchObject({
    structuredContent: { error: { code: 'tool_failed' } },
  });
});

test('an answer that breaks the schema that was shown stands where the schema says nothing', () => {
  const broken = { structured: { id: 'x' }, breaksPublished: true } as const;
  expect(of(broken, declaring)).toEqual({ content, structuredContent: { 'toolcrib/unfit': { id: 'x' } } });
  expect(of({ ...broken, structured: 'x' }, declaring)).toEqual({
    content,
    structuredContent: { 'toolcrib/unfit': 'x' },
  });
  expect(of(broken)).toEqual({ content, structuredContent: { id: 'x' } });
});

test.each([
  { additionalProperties: false },
  { additionalProperties: { type: 'string' } },
  { maxProperties: 1 },
  { $ref: '#/$defs/a' },
])('where the schema leaves nothing open (%j) the content alone has such an answer', (schema) => {
  const tool: Tool = { ...plain, outputSchema: { type: 'object', ...schema } };
  const broken = { structured: { id: 'x' }, breaksPublished: true } as const;
  expect(of(broken, tool)).toEqual({ content, structuredContent: {} });
});

const named = { type: ['object', 'null'], properties: { a: { type: 'string' } } };

test.each([
  { additionalProperties: true },
  { additionalProperties: { description: 'Anything.' } },
  { allOf: [{ $ref: '#/$defs/named' }, named] },
  { anyOf: [{ type: 'string' }, { $ref: '#/$defs/named' }] },
  { $ref: '#/$defs/named' },
])('a schema that says openness in other words (%j) leaves it a place', (schema) => {
  const tool: Tool = { ...plain, outputSchema: { type: 'object', ...schema, $defs: { named } } };
  const broken = { structured: { id: 'x' }, breaksPublished: true } as const;
  expect(of(broken, tool)).toMatchObject({ structuredContent: { 'toolcrib/unfit': { id: 'x' } } });
});

test.each([
  { allOf: [named, { additionalProperties: false }] },
  { anyOf: [{ type: 'string' }, { additionalProperties: { type: 'string' } }] },
  { allOf: [{ $ref: '#/$defs/loop' }] },
])('nor does one part that is closed (%j)', (schema) => {
  const loop = { allOf: [{ $ref: '#/$defs/loop' }] };
  const tool: Tool = { ...plain, outputSchema: { type: 'object', ...schema, $defs: { loop } } };
  const broken = { structured: { id: 'x' }, breaksPublished: true } as const;
  expect(of(broken, tool)).toEqual({ content, structuredContent: {} });
});

test('a text that stands for a declared output has the same place, so that a call that was carried out is no failure', () => {
  expect(of({ breaksPublished: true }, declaring)).toEqual({
    content,
    structuredContent: { 'toolcrib/unfit': content[0]!.text },
  });
});

test('a declared output that is missing makes the answer an error that keeps its content', () => {
  expect(of({}, declaring)).toMatchObject({
    isError: true,
    content: [content[0], { type: 'text', text: expect.stringMatching(/^output_invalid/) }],
  });
  expect(of({ structured: { a: 1 } }, declaring)).toEqual({ content, structuredContent: { a: 1 } });
});
