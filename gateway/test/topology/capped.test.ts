import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type Operation } from '../../src/operations/index.ts';
import { capped } from '../../src/topology/capped.ts';
import { plainOperation } from '../catalog/compiled-source.ts';
import { answered, contextBench, plainOperations, setOf, toolNamed, visible } from './search-set.ts';

type Rank = Operation['importance'] | 'old';

/** One operation a rank, named in the order of the ranks. */
function connector(source: string, api: string, connection: string, ranks: readonly (Rank | undefined)[]) {
  const prefix = api === connection ? api : `${api}_${connection}`;
  return ranks.map((rank, index) => {
    const id = `${prefix}_op${index}`;
    const operation: Operation = {
      ...plainOperation(id, source),
      ...(rank === 'old' ? { deprecated: true } : rank === undefined ? {} : { importance: rank }),
      invocation: {
        kind: 'azure',
        connection,
        api,
        operationId: `Op${index}`,
        method: 'GET',
        path: `/op${index}`,
        bindings: [],
        accept: [],
      },
    };
    return visible(operation);
  });
}

const mail = connector('office', 'mail', 'mail', ['advanced', undefined, 'important', 'old', 'advanced']);
const work = connector('office', 'mail', 'work', ['advanced', 'advanced', 'important']);
const own = plainOperations('own', 4).map((one) => ({ ...one, source: 'office' }));
const other = connector('elsewhere', 'chat', 'chat', [undefined, undefined, undefined, undefined]);
const set = setOf(mail, work, own, other);
const publish = (most: number, more = {}) =>
  capped.publish(set, { ...DEFAULT_TOPOLOGY_OPTIONS, listedPerConnector: { office: most }, ...more });
const names = (...given: Parameters<typeof publish>) => publish(...given).map(({ name }) => name);
const listedOf = (prefix: string, ...given: Parameters<typeof publish>) =>
  names(...given).filter((name) => name.startsWith(`${prefix}_op`) && !name.includes('discover'));

describe('capped', () => {
  it.each([
    [1, ['mail_op2']],
    [2, ['mail_op1', 'mail_op2']],
    [3, ['mail_op1', 'mail_op2', 'mail_op3']],
    [4, ['mail_op0', 'mail_op1', 'mail_op2', 'mail_op3']],
  ])('lists %i of a connection: important, then unranked, then advanced, deprecated last', (most, some) => {
    expect(listedOf('mail', most).sort()).toEqual(some);
  });

  it('counts by connection, lists own tools and other sources whole, and has a finder for each that is cut', () => {
    expect(names(2)).toEqual(expect.arrayContaining(['mail_discover', 'mail_work_discover', 'call_tool']));
    expect(names(3)).not.toContain('mail_work_discover');
    expect(names(1).filter((name) => name.startsWith('own_'))).toHaveLength(4);
    expect(names(1).filter((name) => name.startsWith('chat_'))).toHaveLength(4);
  });

  it('is flat where nothing is cut', () => {
    expect(publish(5)).toBe(set.operations);
    expect(capped.publish(set, DEFAULT_TOPOLOGY_OPTIONS)).toBe(set.operations);
  });

  it('lists pinned operations beyond the number', () => {
    expect(listedOf('mail', 1, { pinned: ['mail_op4'] })).toEqual(['mail_op2', 'mail_op4']);
  });

  it('says how many are not listed', () => {
    expect(toolNamed(publish(2), 'mail_discover').tool.description).toContain(
      '5 of mail, 3 of them not listed',
    );
  });

  it('finds, describes and activates what is left over, of its own connection alone', async () => {
    const finder = toolNamed(publish(1), 'mail_discover');
    expect(await answered(finder, { query: 'mail_op4', limit: 1 })).toMatch(/^mail_op4 /);
    expect(await answered(finder, { query: 'mail_work_op0' })).not.toContain('mail_work_op0');
    await expect(answered(finder, { operation: 'mail_work_op0' })).rejects.toMatchObject({
      code: 'operation_unknown',
    });
    const bench = contextBench();
    await finder.resolve({ activate: ['mail_op4'] }, bench);
    expect(bench.activated).toEqual([['office/mail_op4']]);
  });
});
