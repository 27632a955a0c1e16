import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type ResolvedCall } from '../../src/operations/index.ts';
import { discover } from '../../src/topology/discover.ts';
import { plainOperation } from '../catalog/compiled-source.ts';
import { answered, contextBench, plainOperations, setOf, toolNamed, visible } from './search-set.ts';

const small = plainOperations('small', 3);
const large = plainOperations('large', 31);
const huge = plainOperations('huge', 50);
const set = setOf(small, large, huge);
const publish = (of = set, more = {}) => discover.publish(of, { ...DEFAULT_TOPOLOGY_OPTIONS, ...more });
const names = (of = set, more = {}) => publish(of, more).map(({ name }) => name);
const finder = (source = 'large') => toolNamed(publish(), `${source}_discover`);

describe('the list', () => {
  it('shows small sources as they are and a finder for each large one', () => {
    expect(names().sort()).toEqual([
      'call_tool',
      'huge_discover',
      'large_discover',
      'small_op0000',
      'small_op0001',
      'small_op0002',
    ]);
  });

  it.each([
    ['as many as fit', 31, ['large']],
    ['one too many', 30, ['large_discover']],
  ])('decides by maxToolsPerApi: %s', (_, maxToolsPerApi, some) => {
    expect(names(setOf(large), { maxToolsPerApi })).toEqual(
      some[0] === 'large' ? large.map(({ name }) => name) : [...some, 'call_tool'],
    );
  });

  it('holds pinned operations of large sources as they are', () => {
    expect(names(set, { pinned: ['large_op0007', 'small_op0000'] })).toContain('large_op0007');
    expect(names(set, { pinned: ['small_op0000'] }).filter((name) => name === 'small_op0000')).toHaveLength(
      1,
    );
  });

  it('gives way to operations that have the names of its tools, and to sources that read alike', () => {
    const odd = [visible(plainOperation('call_tool', 'odd')), visible(plainOperation('a_b_discover', 'odd'))];
    const of = setOf(odd, plainOperations('a.b', 31), plainOperations('a b', 31));
    expect(names(of)).toEqual(
      expect.arrayContaining([
        'call_tool',
        'call_tool_2',
        'a_b_discover',
        'a_b_discover_2',
        'a_b_discover_3',
      ]),
    );
  });

  it('keeps names within 64 characters', () => {
    const of = setOf(plainOperations('x'.repeat(60), 31));
    for (const { name } of publish(of)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});

describe('<source>_discover', () => {
  it('ranks operations of its source by a query, and lists the first without one', async () => {
    const found = await answered(finder(), { query: 'large_op0012', limit: 1 });
    expect(found).toMatch(/^large_op0012 GET \/large_op0012: Does large_op0012\n/);
    expect((await answered(finder(), { limit: 2 })).split('\n').slice(0, 2)).toEqual([
      expect.stringContaining('large_op0000'),
      expect.stringContaining('large_op0001'),
    ]);
  });

  it('finds nothing of other sources', async () => {
    expect(await answered(finder(), { query: 'huge_op0001' })).not.toContain('huge_op');
    await expect(answered(finder(), { operation: 'huge_op0001' })).rejects.toMatchObject({
      code: 'operation_unknown',
    });
    await expect(answered(finder(), { activate: ['huge_op0001'] })).rejects.toMatchObject({
      code: 'operation_unknown',
    });
  });

  it('describes the operation named, and lists nothing by that', async () => {
    const context = contextBench();
    expect(await answered(finder(), { operation: 'large_op0003' }, context)).toMatch(
      /^large_op0003 GET \/large_op0003 \(read\)\n.*\nArguments: \{/,
    );
    expect(context.activated).toEqual([]);
  });

  it('has those named listed as tools, all or none', async () => {
    const context = contextBench();
    const text = await answered(finder(), { activate: ['large_op0001', 'large/large_op0002'] }, context);
    expect(context.activated).toEqual([['large/large_op0001', 'large/large_op0002']]);
    expect(text).toBe('Listed as tools from now on: large_op0001, large_op0002.');
    await expect(
      answered(finder(), { activate: ['large_op0001', 'nothing'] }, context),
    ).rejects.toMatchObject({ code: 'operation_unknown' });
    expect(context.activated).toHaveLength(1);
  });

  it('sends clients that do not follow their list to call_tool', async () => {
    const text = await answered(finder(), { activate: ['large_op0001'] }, contextBench({ follows: false }));
    expect(text).toMatch(/does not follow.*call_tool for large_op0001/);
  });

  it('answers everything that is asked together', async () => {
    const text = await answered(finder(), {
      activate: ['large_op0001'],
      operation: 'large_op0002',
      query: 'large_op0003',
      limit: 1,
    });
    expect(text).toMatch(/Listed as tools.*\n\nlarge_op0002 GET.*\n\nlarge_op0003/s);
  });
});

describe('call_tool', () => {
  const tool = () => toolNamed(publish(), 'call_tool');

  it('reaches every operation of the set, and takes no argument of theirs for its own', async () => {
    for (const { operation, load } of set.operations) {
      const resolved = (await tool().resolve(
        { name: operation, arguments: { _fields: ['id'] } },
        contextBench(),
      )) as ResolvedCall;
      expect(resolved).toEqual({ operation: load(), arguments: { _fields: ['id'] } });
    }
    expect(tool().reaches).toHaveLength(set.operations.length);
  });
});
