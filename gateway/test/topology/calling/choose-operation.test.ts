import { describe, expect, it } from 'vitest';
import { chooseOperation } from '../../../src/topology/calling/choose-operation.ts';
import { setOf } from '../search-set.ts';
import { endpoint, POOLS } from './sample-sets.ts';

const set = setOf(POOLS);
const choose = async (target: Parameters<typeof chooseOperation>[1], among = set) => {
  const { operation, placeholders } = await chooseOperation(among, target);
  return [operation.facts.id, { ...placeholders }];
};

describe('chooseOperation', () => {
  it.each([
    [{ operation: 'getPool' }, 'getPool', {}],
    [{ operation: 'ceph/getPool' }, 'getPool', {}],
    [{ operation: 'GET /pools/{pool}' }, 'getPool', {}],
    [{ operation: 'get /pools/7' }, 'getPool', { pool: '7' }],
    [{ method: 'GET', path: '/pools/{pool}' }, 'getPool', {}],
    [{ method: 'patch', path: 'pools/7/' }, 'updatePool', { pool: '7' }],
    [{ method: 'GET', path: '/pools/a%2Fb' }, 'getPool', { pool: 'a/b' }],
    [{ path: '/pools/7/scrub' }, 'scrubPool', { pool: '7' }],
    [{ method: 'GET', path: '/files/etc/ceph/ceph.conf' }, 'getFile', { path: 'etc/ceph/ceph.conf' }],
    [{ operation: 'getPool', method: 'GET', path: '/pools/7' }, 'getPool', { pool: '7' }],
  ])('%j is %s with %j', async (target, id, placeholders) => {
    expect(await choose(target)).toEqual([id, placeholders]);
  });

  it('a path without a method that several operations have names them', async () => {
    await expect(choose({ path: '/pools/7' })).rejects.toMatchObject({
      code: 'operation_ambiguous',
      details: { operations: ['deletePool', 'getPool', 'updatePool'] },
    });
  });

  it('templates that are equally literal are ambiguous, the more literal one wins', async () => {
    const rivals = setOf([
      endpoint('one', 'GET /things/{id}/x'),
      endpoint('other', 'GET /things/{name}/x'),
      endpoint('literal', 'GET /things/all/x'),
    ]);
    expect(await choose({ method: 'GET', path: '/things/all/x' }, rivals)).toEqual(['literal', {}]);
    await expect(choose({ method: 'GET', path: '/things/7/x' }, rivals)).rejects.toMatchObject({
      code: 'operation_ambiguous',
      message: expect.stringContaining('one, other'),
    });
  });

  it('of two places that a value with slashes fits, the longer one wins', async () => {
    const places = [endpoint('short', 'GET /a/{x}'), endpoint('long', 'GET /a/{x}/b/{y}')];
    for (const set of [setOf(places), setOf(places.toReversed())]) {
      expect(await choose({ method: 'GET', path: '/a/1/2/b/3' }, set)).toEqual([
        'long',
        { x: '1/2', y: '3' },
      ]);
      expect(await choose({ method: 'GET', path: '/a/1/2' }, set)).toEqual(['short', { x: '1/2' }]);
    }
  });

  it('an id that two sources have is ambiguous, and its keys are named', async () => {
    const other = { ...endpoint('getPool', 'GET /pool/{id}', { source: 'other' }), name: 'other_getPool' };
    const own = POOLS.map((one) => ({ ...one, name: `ceph_${one.name}` }));
    const two = setOf(own, [other]);
    await expect(choose({ operation: 'getPool' }, two)).rejects.toMatchObject({
      code: 'operation_ambiguous',
      message: expect.stringContaining('ceph/getPool, other/getPool'),
    });
    expect(await choose({ operation: 'other/getPool' }, two)).toEqual(['getPool', {}]);
  });

  it('an unknown one is told with the nearest three, none of them outside the set', async () => {
    await expect(choose({ operation: 'getPoool' })).rejects.toMatchObject({
      code: 'operation_unknown',
      message: expect.stringContaining('Nearest: getPool'),
    });
    const error = await choose({ operation: 'deletePool' }, setOf(POOLS.slice(0, 3))).catch(
      (thrown) => thrown,
    );
    expect(error.code).toBe('operation_unknown');
    expect(error.details.nearest).not.toContain('deletePool');
    expect(error.details.nearest.length).toBeLessThanOrEqual(3);
    await expect(choose({ method: 'PUT', path: '/nothing/here' })).rejects.toMatchObject({
      code: 'operation_unknown',
    });
  });

  it('of a path, only those of its method are near: reading leads to nothing that changes', async () => {
    const error = await choose({ method: 'GET', path: '/pool/scrub/logs' }).catch((thrown) => thrown);
    expect(error.details.nearest).toContain('getLogs');
    expect(error.details.nearest).not.toContain('scrubPool');
  });

  it.each([
    [{ method: 'PUT', path: '/pools/7' }, 'GET (getPool), PATCH (updatePool), DELETE (deletePool)'],
    [{ method: 'PUT', path: '/pools/{pool}' }, 'GET (getPool), PATCH (updatePool), DELETE (deletePool)'],
    [{ operation: 'POST /logs' }, 'GET (getLogs)'],
  ])('%j is told which methods the path takes', async (target, methods) => {
    const error = await choose(target).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'operation_unknown', pointer: '/operation' });
    for (const one of methods.split(', ')) expect(error.message).toContain(one);
  });

  it.each([
    [{}, '/operation'],
    [{ method: 'GET' }, '/operation'],
    [{ method: 'GET', path: '/pools?limit=5' }, '/path'],
    [{ operation: 'getPool', path: '/files/x' }, '/path'],
    [{ operation: 'getPool', method: 'DELETE' }, '/method'],
  ])('%j is refused', async (target, pointer) => {
    await expect(choose(target)).rejects.toMatchObject({ code: 'arguments_invalid', pointer });
  });

  it('an endless name costs nothing and is not repeated whole', async () => {
    const error = await choose({ operation: 'x'.repeat(100_000) }).catch((thrown) => thrown);
    expect(error.code).toBe('operation_unknown');
    expect(error.message.length).toBeLessThan(600);
  });
});
