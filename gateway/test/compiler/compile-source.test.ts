import { describe, expect, it } from 'vitest';
import { type CompileOptions, compileSource, DANGEROUS } from '../../src/compiler/compile-source.ts';
import type { JsonObject, Operation } from '../../src/operations/index.ts';
import { describeText, get, openapi, post } from '../sources/openapi/describing.ts';

const OPTIONS: CompileOptions = {
  source: 'shop',
  kind: 'openapi',
  profile: 'portable',
  outputSchemas: 'relaxed',
  maxOutputSchemaSize: 2_000,
};

/** The document compiled, each of its operations with what is given. */
async function compiled(paths: object, more: Partial<Operation> = {}) {
  const description = await describeText(openapi(paths));
  const operations = description.operations.map((operation) => ({ ...operation, ...more }));
  return compileSource({ ...description, operations }, OPTIONS);
}

describe('annotations', () => {
  it.each<[string, object, [readOnly: boolean, destructive: boolean, idempotent: boolean]]>([
    ['a read', { get: {} }, [true, false, true]],
    ['a search by POST', { post: { operationId: 'searchThings' } }, [true, false, true]],
    ['a write', { post: { operationId: 'addThing' } }, [false, false, false]],
    ['a write that may be repeated', { put: {} }, [false, false, true]],
    ['a delete', { delete: {} }, [false, true, true]],
    ['a delete by POST', { post: { operationId: 'deleteThings' } }, [false, true, false]],
    [
      'a read that its document calls destructive',
      { get: { 'x-toolcrib-safety': { destructive: true } } },
      [true, false, true],
    ],
  ])('%s', async (_what, pathItem, [readOnlyHint, destructiveHint, idempotentHint]) => {
    const { tools } = await compiled({ '/things': pathItem });
    expect(tools[0]?.tool.annotations).toMatchObject({ readOnlyHint, destructiveHint, idempotentHint });
  });
});

it('what is dangerous is no tool, and the report says why', async () => {
  const { tools, skipped } = await compiled({ '/a': { trace: {}, get: {} } });
  expect(tools.map(({ name }) => name)).toEqual(['get_a']);
  expect(skipped).toMatchObject([{ method: 'TRACE', path: '/a', reason: DANGEROUS, source: 'shop' }]);
});

it('tools stand in the order of their names, a description within its budget', async () => {
  const description = 'All about it. '.repeat(200);
  const { tools } = await compiled({
    ...post({ operationId: 'b' }),
    ...get({ operationId: 'a', description }, '/c'),
  });
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(tools[0]?.tool.description.length).toBeLessThanOrEqual(1_200);
  expect(tools[0]?.tool.description).toMatch(/All about it\. …$/);
});

describe('an input schema is told of', () => {
  const codes = async (input: JsonObject) =>
    (await compiled(get({ operationId: 'a' }), { input: input as Operation['input'] })).diagnostics.map(
      ({ code, message, source }) => [code, message, source],
    );

  it.each(['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', '$ref'])(
    'that has %s at its root, which a model provider refuses',
    async (keyword) => {
      expect(await codes({ type: 'object', [keyword]: [] })).toEqual([
        ['schema-not-portable', expect.stringContaining(`Tool a has ${keyword} at the root`), 'shop'],
      ]);
    },
  );

  it('that is too large to be shown whole', async () => {
    const values = Array.from({ length: 10_000 }, (_, at) => `value-${at}`);
    expect(await codes({ type: 'object', properties: { a: { type: 'string', enum: values } } })).toEqual([
      ['schema-shortened', expect.stringContaining('The input schema of tool a'), 'shop'],
    ]);
  });
});
