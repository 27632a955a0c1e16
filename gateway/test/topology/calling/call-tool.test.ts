import { describe, expect, it } from 'vitest';
import type { JsonObject, ResolvedCall } from '../../../src/operations/index.ts';
import { callTool } from '../../../src/topology/calling/call-tool.ts';
import { contextBench, setOf } from '../search-set.ts';
import { endpoint, POOLS } from './sample-sets.ts';

const set = setOf(POOLS, [
  endpoint('ownFields', 'GET /own', { properties: { _fields: { type: 'string' }, _filter_x: {} } }),
]);
const tool = callTool('call_endpoint', set);
const call = async (args: JsonObject) => (await tool.resolve(args, contextBench())) as ResolvedCall;

describe('callTool', () => {
  it('leads to the operation with the arguments as they are', async () => {
    const { operation, arguments: args } = await call({
      operation: 'createPool',
      arguments: { name: 'rbd', size: 3, unknown: [1] },
    });
    expect(operation.id).toBe('createPool');
    expect(args).toEqual({ name: 'rbd', size: 3, unknown: [1] });
  });

  it('values of a path that is written out are arguments, of the type that they are declared with', async () => {
    expect((await call({ method: 'GET', path: '/pools/7' })).arguments).toEqual({ pool: 7 });
    expect((await call({ method: 'DELETE', path: '/pools/7' })).arguments).toEqual({ pool: '7' });
    expect((await call({ path: '/pools/7', method: 'GET', arguments: { pool: '7' } })).arguments).toEqual({
      pool: '7',
    });
    await expect(call({ path: '/pools/7', method: 'GET', arguments: { pool: 8 } })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer: '/path',
    });
  });

  it('reserved arguments ask for a shape, inside and beside the arguments; they do not reach the operation', async () => {
    const resolved = await call({
      operation: 'listPools',
      arguments: {
        size: 1,
        _filter_status: 'error',
        _filter__text: 'disk',
        _fields: 'id,name',
        _cursor: 'next',
        _pages: 2,
      },
      filters: { size: '>1000' },
      limit: 5,
    });
    expect(resolved.arguments).toEqual({ size: 1 });
    expect(resolved.shaped).toEqual({
      defaultLimit: 10,
      byProperties: true,
      request: {
        filters: { status: 'error', _text: 'disk', size: '>1000' },
        fields: ['id', 'name'],
        cursor: 'next',
        pages: 2,
        limit: 5,
      },
    });
  });

  it("a parameter of the operation's own stays its own", async () => {
    const resolved = await call({
      operation: 'ownFields',
      arguments: { _fields: 'a', _filter_x: 1, _limit: 2 },
    });
    expect(resolved.arguments).toEqual({ _fields: 'a', _filter_x: 1 });
    expect(resolved.shaped?.request).toEqual({ limit: 2 });
  });

  it('what is read is shaped, with the limit of its kind; a change only where somebody asks for it', async () => {
    expect((await call({ operation: 'getLogs' })).shaped).toMatchObject({
      request: {},
      defaultLimit: 100,
    });
    expect((await call({ operation: 'scrubPool', arguments: { pool: 'a' } })).shaped).toBeUndefined();
    expect((await call({ operation: 'createPool', fields: ['id'] })).shaped?.request).toEqual({
      fields: ['id'],
    });
    expect((await call({ operation: 'getLogs', no_optimize: true })).shaped?.request).toEqual({ off: true });
  });

  it.each([
    [{ _limit: 0 }, '/limit'],
    [{ _limit: 'many' }, '/limit'],
    [{ _fields: { a: 1 } }, '/fields'],
    [{ _cursor: 3 }, '/cursor'],
  ])('a shape that cannot be read is refused: %j', async (args, pointer) => {
    await expect(call({ operation: 'getLogs', arguments: args })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer,
    });
  });

  it('arguments called like members of every object are arguments like others', async () => {
    const args = JSON.parse('{"__proto__": {"a": 1}, "_filter___proto__": "x"}') as JsonObject;
    const resolved = await call({ operation: 'listPools', arguments: args });
    expect(Object.entries(resolved.arguments)).toEqual([['__proto__', { a: 1 }]]);
    expect(Object.entries(resolved.shaped!.request.filters!)).toEqual([['__proto__', 'x']]);
  });

  it('is as harmful as the worst that it reaches, and reaches every operation of the set', () => {
    expect(tool.tool.annotations).toMatchObject({ readOnlyHint: false, idempotentHint: true });
    expect(callTool('c', setOf([POOLS[0]!])).tool.annotations.readOnlyHint).toBe(true);
    expect(tool.reaches).toHaveLength(set.operations.length);
  });

  it("gives way to an operation's own tool of the same name", () => {
    const clash = setOf([endpoint('call_endpoint', 'GET /x'), endpoint('call_endpoint_2', 'GET /y')]);
    expect(callTool('call_endpoint', clash).name).toBe('call_endpoint_3');
  });
});

describe('a call tool that reads stored answers', () => {
  const reading = callTool('call_api_endpoint', set, { readsStored: true });

  it('asks for rows by response_id', async () => {
    const context = contextBench();
    const answer = await reading.resolve(
      { response_id: 'ab12', filters: { status: 'error' }, fields: ['id'], limit: 3, cursor: 'c' },
      context,
    );
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ text: 'rows' }] } });
    expect(context.stored).toEqual([
      { responseId: 'ab12', filters: { status: 'error' }, fields: ['id'], limit: 3, cursor: 'c' },
    ]);
  });

  it('an operation beside it is refused: one of the two would be lost', async () => {
    await expect(
      Promise.resolve(reading.resolve({ response_id: 'ab12', operation: 'getLogs' }, contextBench())),
    ).rejects.toMatchObject({ code: 'arguments_invalid', pointer: '/operation' });
  });
});
