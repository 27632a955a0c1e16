import { describe, expect, it } from 'vitest';
import { compileSource } from '../../../../src/compiler/compile-source.ts';
import { describeText, openapi } from '../describing.ts';

const REFERENCE = { $ref: '#/components/schemas/L0' };
const refer = (level: number) => ({ $ref: `#/components/schemas/L${level}` });

/** How one schema leads to the next one. */
const SHAPES: Readonly<Record<string, (next: object, times: number) => object>> = {
  allOf: (next, times) => ({ type: 'object', allOf: Array(times).fill(next) }),
  anyOf: (next, times) => ({ anyOf: [...Array(times).fill(next), { type: 'null' }] }),
  oneOf: (next, times) => ({ oneOf: Array(times).fill(next) }),
  items: (next, times) => ({ type: 'array', items: { anyOf: Array(times).fill(next) } }),
  properties: (next, times) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: times }, (_, index) => [`p${index}`, next])),
  }),
  'parts that ask for a property': (next, times) => ({
    allOf: Array(times).fill({ allOf: [next], required: ['x'] }),
    required: ['x', 'y'],
  }),
};

function documentOf(shape: string, levels: number, times: number): object {
  const schemas: Record<string, object> = {};
  for (let level = 0; level < levels; level++) schemas[`L${level}`] = SHAPES[shape]!(refer(level + 1), times);
  schemas[`L${levels}`] = { type: 'string', format: 'binary' };
  const types = ['application/json', 'multipart/form-data', 'application/vnd.blob', '*/*'];
  const paths: Record<string, object> = Object.fromEntries(
    types.map((type, index) => [
      `/body${index}`,
      {
        post: {
          operationId: `body${index}`,
          requestBody: { content: { [type]: { schema: REFERENCE } } },
          responses: {},
        },
      },
    ]),
  );
  paths['/query'] = {
    get: {
      operationId: 'query',
      parameters: [{ name: 'q', in: 'query', schema: REFERENCE }],
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: REFERENCE } } } },
    },
  };
  return openapi(paths, { components: { schemas } });
}

/** Looking at every way through would take longer than anybody waits, and a step of recursion each too much stack. */
describe.each([
  ['24 levels that meet again and again', 24, 4],
  ['20,000 levels', 20_000, 1],
])('schemas of %s cost no operation and little time', (_what, levels, times) => {
  it.each(Object.keys(SHAPES))('by %s', async (shape) => {
    const description = await describeText(documentOf(shape, levels, times));
    for (const profile of ['portable', 'no-refs'] as const) {
      const options = { source: 's', kind: 'openapi', outputSchemas: 'relaxed', profile } as const;
      const { tools } = compileSource(description, { ...options, maxOutputSchemaSize: 2_000 });
      // a list is no form
      expect(tools).toHaveLength(shape === 'items' ? 4 : 5);
    }
  });
});
