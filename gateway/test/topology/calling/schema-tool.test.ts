import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { schemaTool } from '../../../src/topology/calling/schema-tool.ts';
import type { OperationSet } from '../../../src/topology/topology.ts';
import { jsonBody, jsonResponse, openapi } from '../../sources/openapi/describing.ts';
import { answered, operationsOf, setOf } from '../search-set.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const DOCUMENT = openapi(
  {
    '/pools': {
      get: { operationId: 'listPools', ...jsonResponse({ type: 'array', items: ref('Pool') }) },
      post: { operationId: 'createPool', ...jsonBody(ref('Pool')) },
    },
    '/keys': {
      post: { operationId: 'addKey', ...jsonBody({ type: 'object', properties: { key: ref('Key') } }) },
    },
    '/trees': {
      post: { operationId: 'addTree', ...jsonBody({ type: 'object', properties: { root: ref('Tree') } }) },
    },
  },
  {
    components: {
      schemas: {
        Pool: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, size: { type: 'integer' }, owner: ref('Owner') },
        },
        Owner: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        Key: { type: 'object', properties: { secret: { type: 'string' } } },
        Tree: {
          type: 'object',
          properties: { left: ref('Tree'), right: ref('Tree'), value: { type: 'string' } },
        },
      },
    },
  },
);

describe('schemaTool', () => {
  let set: OperationSet;
  let viewer: OperationSet;
  const ask = (args: JsonObject, among = set) => answered(schemaTool('get_schema', among), args);

  beforeAll(async () => {
    const operations = await operationsOf('ceph', DOCUMENT);
    set = setOf(operations);
    viewer = setOf(operations.filter(({ name }) => name !== 'addKey'));
  });

  it('a component in short: members with their types, a star where one is required', async () => {
    expect(await ask({ ref: '#/components/schemas/Owner' })).toBe('Owner: id* (string)');
  });

  it('a component by its name alone, where no operation has that name', async () => {
    expect(await ask({ ref: 'Owner' })).toBe('Owner: id* (string)');
    await expect(ask({ ref: 'Key' }, viewer)).rejects.toMatchObject({ code: 'operation_unknown' });
  });

  it('an operation in short: what it takes and what it answers', async () => {
    const text = await ask({ ref: 'createPool' });
    expect(text).toMatch(/^Arguments of createPool: name \(string\); optional: size \(integer\), owner/);
    expect(await ask({ ref: 'listPools' })).toContain('Answer: ');
  });

  it('whole: references are replaced by what they name, as deep as asked for', async () => {
    const tree = JSON.parse(await ask({ ref: '#/components/schemas/Tree', depth: 2 })) as JsonObject;
    expect(tree).toMatchObject({
      properties: { left: { properties: { left: { properties: { left: { $ref: expect.any(String) } } } } } },
    });
    const operation = JSON.parse(await ask({ ref: 'createPool', whole: true })) as JsonObject;
    expect(operation).toMatchObject({ input: { properties: { owner: { required: ['id'] } } } });
  });

  it('a schema that grows with every level stays small enough to be read', async () => {
    expect((await ask({ ref: '#/components/schemas/Tree', depth: 10 })).length).toBeLessThan(41_000);
  });

  it('says nothing of operations that the caller may not call', async () => {
    expect(await ask({ ref: '#/components/schemas/Key' })).toContain('secret');
    await expect(ask({ ref: '#/components/schemas/Key' }, viewer)).rejects.toMatchObject({
      code: 'operation_unknown',
    });
    await expect(ask({ ref: 'addKey' }, viewer)).rejects.toMatchObject({ code: 'operation_unknown' });
  });

  it('two sources with a schema of one name are told apart by the source', async () => {
    const both = setOf(await operationsOf('ceph', DOCUMENT), await operationsOf('lab', DOCUMENT, 'lab'));
    await expect(ask({ ref: '#/components/schemas/Tree' }, both)).rejects.toMatchObject({
      code: 'operation_ambiguous',
      message: expect.stringContaining('lab#/components/schemas/Tree'),
    });
    expect(await ask({ ref: 'lab#/components/schemas/Tree' }, both)).toMatch(/^Tree: /);
  });

  it('a name that nothing has is answered with the nearest', async () => {
    await expect(ask({ ref: '#/components/schemas/Ownr' })).rejects.toMatchObject({
      message: expect.stringContaining('Did you mean "Owner"?'),
    });
    await expect(ask({ ref: '#/components/schemas/__proto__' })).rejects.toMatchObject({
      code: 'operation_unknown',
    });
  });
});
