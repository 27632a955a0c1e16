import { expect, it } from 'vitest';
import { compileSource } from '../../src/compiler/compile-source.ts';
import { defineFunctions, defineTool } from '../../src/sources/function/define.ts';
import { describeFunctions } from '../../src/sources/function/describe.ts';

it('exact output schemas promise what is checked: everything but formats', () => {
  const output = {
    type: 'object',
    properties: { at: { type: 'string', format: 'date-time', minLength: 1 }, format: { const: 'x' } },
    required: ['at'],
  } as const;
  const tool = defineTool({ name: 'now', description: 'd', output, handler: () => ({ at: 'now' }) } as never);
  const { tools } = compileSource(describeFunctions('f', defineFunctions({ tools: [tool] })), {
    source: 'f',
    kind: 'function',
    profile: 'portable',
    outputSchemas: 'exact',
    maxOutputSchemaSize: 2000,
  });
  expect(tools[0]!.tool.outputSchema).toEqual({
    type: 'object',
    properties: { at: { type: 'string', minLength: 1 }, format: { const: 'x' } },
    required: ['at'],
  });
});
