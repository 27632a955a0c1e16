import { describe, expect, it } from 'vitest';
import type { VisibleOperation } from '../../../src/operations/index.ts';
import { MOST_ACTIONS, splitOperations } from '../../../src/topology/category/split-operations.ts';
import fc from '../../properties.ts';
import { endpoint } from '../calling/sample-sets.ts';

const at = (path: string, index: number) =>
  endpoint(`op${path}${index}`.replaceAll('/', '_'), `GET ${path}/x${index}`);
const sized = (paths: Readonly<Record<string, number>>) =>
  Object.entries(paths).flatMap(([path, count]) =>
    Array.from({ length: count }, (_, index) => endpoint(`o${path}${index}`, `PUT ${path}/{id}`)),
  );
const shape = (operations: readonly VisibleOperation[], own = '') =>
  splitOperations(operations, { own }).map(({ suffix, operations: members }) => [suffix, members.length]);

describe('splitOperations', () => {
  it('what fits one tool is one part', () => {
    expect(shape(sized({ '/services': 40 }))).toEqual([['', 40]]);
  });

  it('by the words of the path; what is general keeps the name alone', () => {
    expect(shape(sized({ '/services': 10, '/services/iscsi': 30, '/services/nfs': 25 }), 'services')).toEqual(
      [
        ['', 40],
        ['nfs', 25],
      ],
    );
    expect(shape(sized({ '/services/iscsi': 30, '/services/nfs': 25, '/gateways': 38 }), 'services')).toEqual(
      [
        ['gateways', 38],
        ['iscsi', 30],
        ['nfs', 25],
      ],
    );
  });

  it('what no word tells apart is numbered', () => {
    expect(shape(sized({ '/rpc': 90 }), 'rpc')).toEqual([
      ['', 40],
      ['2', 40],
      ['3', 10],
    ]);
  });

  it('long names take room, too', () => {
    const long = Array.from({ length: 40 }, (_, index) =>
      endpoint(`replaceNamespacedReplicationControllerStatusOfEveryKindNumber${index}`, `PUT /a/b${index}`),
    );
    expect(splitOperations(long).length).toBeGreaterThan(1);
  });

  it('every operation is in exactly one part, no part is too large, no two are called the same', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 200 }), (paths) => {
        const operations = paths.map((words, index) => at(`/${words.join('/')}`, index));
        const parts = splitOperations(operations);
        const all = parts.flatMap((part) => part.operations.map(({ operation }) => operation));
        expect(all.sort()).toEqual(operations.map(({ operation }) => operation).sort());
        expect(Math.max(...parts.map((part) => part.operations.length))).toBeLessThanOrEqual(MOST_ACTIONS);
        expect(new Set(parts.map(({ suffix }) => suffix)).size).toBe(parts.length);
      }),
      { numRuns: 15 },
    );
  });
});
