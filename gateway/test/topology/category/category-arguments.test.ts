import { describe, expect, it } from 'vitest';
import type { JsonObject, Operation } from '../../../src/operations/index.ts';
import {
  type CategoryArguments,
  operationArguments,
} from '../../../src/topology/category/category-arguments.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';
import { endpointOperation } from '../calling/sample-sets.ts';

const SNAPSHOT = endpointOperation('putSnapshot', 'PUT /pools/{pool}/snapshots/{snapshot}', {
  properties: { size: { type: 'integer' }, name: { type: 'string' } },
});
const POOL = endpointOperation('getPool', 'GET /pools/{pool}', { properties: { pool: { type: 'integer' } } });
const LIST = endpointOperation('listPools', 'GET /pools', { properties: { limit: { type: 'integer' } } });

const given = (operation: Operation, args: Partial<CategoryArguments>) =>
  operationArguments(operation, { extra: {}, ...args });

describe('operationArguments', () => {
  it('action_args pass unchanged', () => {
    const args = { pool: 'a', snapshot: 's', size: '3', deep: [{ a: null }] };
    expect(given(SNAPSHOT, { action_args: args })).toEqual(args);
  });

  it('resource_id is the path parameter that is not said yet, as it is declared', () => {
    expect(given(POOL, { resource_id: '7' })).toEqual({ pool: 7 });
    expect(given(POOL, { resource_id: 7 })).toEqual({ pool: 7 });
    expect(given(SNAPSHOT, { action_args: { pool: 'a' }, resource_id: 5 })).toEqual({
      pool: 'a',
      snapshot: '5',
    });
    expect(given(SNAPSHOT, { action_args: { snapshot: 's' }, resource_id: 'a' })).toEqual({
      pool: 'a',
      snapshot: 's',
    });
    expect(given(POOL, { action_args: { pool: 7 }, resource_id: '7' })).toEqual({ pool: 7 });
  });

  it('data is the body, member by member', () => {
    const args = { action_args: { pool: 'a', snapshot: 's' }, data: { size: 3, name: 'n' } };
    expect(given(SNAPSHOT, args)).toEqual({ pool: 'a', snapshot: 's', size: 3, name: 'n' });
  });

  it('data is the whole of a body that is one argument, and adds to what stands there', () => {
    const whole: Operation = {
      ...SNAPSHOT,
      invocation: {
        ...(SNAPSHOT.invocation as Extract<Operation['invocation'], { kind: 'http' }>),
        bindings: [{ in: 'body', name: '', arg: 'body', contentType: 'application/json' }],
      },
    };
    expect(given(whole, { data: { size: 3 } })).toEqual({ body: { size: 3 } });
    expect(given(whole, { action_args: { body: { name: 'n' } }, data: { size: 3 } })).toEqual({
      body: { name: 'n', size: 3 },
    });
  });

  it('a function takes them by its own arguments', () => {
    const operation: Operation = {
      ...plainOperation('restart', 'jobs', {
        type: 'object',
        properties: { job: { type: 'string' }, force: { type: 'boolean' } },
        required: ['job'],
      }),
      invocation: { kind: 'function', function: 'restart' },
    };
    expect(given(operation, { resource_id: 'a', data: { force: true } })).toEqual({ job: 'a', force: true });
  });

  it("a category's own property is the argument of its name", () => {
    expect(given(LIST, { extra: { limit: '5' } })).toEqual({ limit: 5 });
  });

  it.each<[string, Operation, Partial<CategoryArguments>, string]>([
    ['two path parameters are open', SNAPSHOT, { resource_id: 'a' }, '/resource_id'],
    ['the path has none', LIST, { resource_id: 'a' }, '/resource_id'],
    ['it says something else', POOL, { action_args: { pool: 8 }, resource_id: 7 }, '/resource_id'],
    ['the body has no such member', SNAPSHOT, { data: { colour: 'red' } }, '/data/colour'],
    ['there is no body', POOL, { data: { pool: 7 } }, '/data/pool'],
    ['a member is said differently', SNAPSHOT, { action_args: { size: 1 }, data: { size: 2 } }, '/data/size'],
    ['objects differ', SNAPSHOT, { action_args: { size: { a: 1 } }, data: { size: { a: 2 } } }, '/data/size'],
    ['the operation has no such argument', POOL, { extra: { server_id: 1 } }, '/server_id'],
  ])('refused where %s', (_, operation, args, pointer) => {
    expect(() => given(operation, args)).toThrowError(
      expect.objectContaining({ code: 'arguments_invalid', pointer }),
    );
  });

  it('what is refused says which arguments there are', () => {
    expect(() => given(POOL, { data: { a: 1 } })).toThrow('Arguments of getPool: pool (integer)');
  });

  it('members called like those of every object are arguments like others', () => {
    const data = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;
    expect(() => given(SNAPSHOT, { data })).toThrow('has no __proto__ in its body');
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });
});
