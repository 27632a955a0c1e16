import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ToolcribError } from '../../../src/errors.ts';
import { defineTool, type FunctionTool } from '../../../src/sources/function/define.ts';
import { describeFunctions } from '../../../src/sources/function/describe.ts';

const operationOf = (tool: Partial<FunctionTool>) =>
  describeFunctions('fns', { tools: [{ name: 't', description: 'd', handler: () => null, ...tool }] })
    .operations[0]!;

describe('schemas', () => {
  test('a zod input becomes the JSON Schema that a client must satisfy', () => {
    const { input } = operationOf(
      defineTool({
        name: 't',
        description: 'd',
        input: z.object({ id: z.int().describe('which'), limit: z.number().default(10) }),
        handler: ({ id, limit }) => id + limit,
      }),
    );
    expect(input).toEqual({
      type: 'object',
      properties: { id: { type: 'integer', description: 'which' }, limit: { type: 'number', default: 10 } },
      required: ['id'],
    });
  });

  test('a JSON Schema stays as it is', () => {
    const input = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      if: {},
      else: false,
    };
    expect(operationOf({ input }).input).toBe(input);
  });

  test.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2019-09/schema',
  ])('one of %s is said in the words of 2020-12', ($schema) => {
    const older = {
      $schema,
      type: 'object',
      properties: {
        pair: { items: [{ pattern: '^(?!x)' }, {}], additionalItems: false },
        first: { $ref: '#/properties/pair/items/0' },
      },
      dependencies: { pair: ['first'] },
    };
    const schema = {
      type: 'object',
      properties: {
        pair: { prefixItems: [{ pattern: '^(?!x)' }, {}], items: false },
        first: { $ref: '#/properties/pair/prefixItems/0' },
      },
      dependentRequired: { pair: ['first'] },
    };
    expect(operationOf({ input: older, output: older })).toMatchObject({ input: schema, output: schema });
    expect(operationOf({ input: older }).input).toEqual(schema);
  });

  test('one that cannot be read so stays as it is', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const input = { $schema, type: 'object', properties: { a: { $ref: 'https://example.com/a' } } };
    expect(operationOf({ input }).input).toBe(input);
  });

  test('no input means no arguments', () => {
    expect(operationOf({}).input).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  test.each([
    ['an array', { type: 'array', items: { $ref: '#/$defs/a' }, $defs: { a: { type: 'string' } } }],
    ['a zod number', z.number()],
  ])('an output that is %s is published under `result`', (_name, output) => {
    const schema = operationOf({ output }).output!;
    expect(schema).toMatchObject({ type: 'object', required: ['result'] });
    if ('$defs' in output) expect(schema['$defs']).toEqual({ a: { type: 'string' } });
  });

  test.each([
    ['an input that is no object', { input: { type: 'string' } }],
    ['an input that JSON Schema cannot say', { input: z.object({ at: z.date() }) }],
  ])('%s is refused', (_name, tool) => {
    expect(() => operationOf(tool)).toThrow(ToolcribError);
    expect(() => operationOf(tool)).toThrow(/function t of source fns/);
  });
});

describe('access and safety', () => {
  test.each([
    [undefined, 'write', { destructive: false, idempotent: false }],
    ['read', 'read', { destructive: false, idempotent: true }],
    ['write', 'write', { destructive: false, idempotent: false }],
    ['delete', 'delete', { destructive: true, idempotent: false }],
  ] as const)('%s → %s', (access, expected, safety) => {
    const operation = operationOf(access === undefined ? {} : { access });
    expect(operation.access).toBe(expected);
    expect(operation.safety).toMatchObject({ ...safety, openWorld: true, network: true });
  });

  test('annotations say what access does not', () => {
    const annotations = {
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
      title: 'A title',
    };
    const operation = operationOf({ access: 'write', annotations });
    expect(operation.title).toBe('A title');
    expect(operation.safety).toMatchObject({
      destructive: true,
      idempotent: true,
      openWorld: false,
      network: false,
    });
  });
});

test('a dotted name stays as the title', () => {
  expect(operationOf({ name: 'math.add' })).toMatchObject({ id: 'math.add', title: 'math.add' });
});

test('the fingerprint follows the definitions, not the code', () => {
  const tool = { name: 't', description: 'd' };
  const fingerprint = (description: string, handler: () => null) =>
    describeFunctions('fns', { tools: [{ ...tool, description, handler }] }).fingerprint;
  expect(fingerprint('d', () => null)).toBe(fingerprint('d', () => null));
  expect(fingerprint('d', () => null)).not.toBe(fingerprint('other', () => null));
});

test('resources, templates and prompts lose their code', () => {
  const description = describeFunctions('fns', {
    resources: [{ uri: 'test://a', name: 'a', read: () => ({ text: '' }) }],
    resourceTemplates: [{ uriTemplate: 'test://{id}', name: 'b', read: () => ({ text: '' }) }],
    prompts: [{ name: 'p', get: () => [], complete: () => [] }],
  });
  expect(description).toMatchObject({
    resources: [{ uri: 'test://a', name: 'a' }],
    resourceTemplates: [{ uriTemplate: 'test://{id}', name: 'b' }],
    prompts: [{ name: 'p' }],
  });
  expect(JSON.parse(JSON.stringify(description))).toEqual(description);
});

test('a template that cannot be matched is listed with a warning', () => {
  const { resourceTemplates, diagnostics } = describeFunctions('fns', {
    resourceTemplates: [{ uriTemplate: 'test://{+path}', name: 'b', read: () => ({ text: '' }) }],
  });
  expect(resourceTemplates).toHaveLength(1);
  expect(diagnostics).toMatchObject([{ code: 'uri-template-unsupported', severity: 'warning' }]);
});

test('a name that is declared twice is refused', () => {
  const tool = { name: 't', description: 'd', handler: () => null };
  expect(() => describeFunctions('fns', { tools: [tool, tool] })).toThrow(/tool t more than once/);
});
