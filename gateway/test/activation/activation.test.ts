import { describe, expect, it } from 'vitest';
import { type Activation, UNUSED_MS, used } from '../../src/activation/activation.ts';
import fc from '../properties.ts';

const at = (operation: string, usedAt: number): Activation => ({ operation, activatedAt: usedAt, usedAt });
const keys = (list: readonly Activation[]) => list.map(({ operation }) => operation);

describe('operations that are used', () => {
  it.each([
    ['a new one comes last', [at('s/a', 1)], ['s/b'], ['s/a', 's/b']],
    ['a known one moves to the end', [at('s/a', 1), at('s/b', 2)], ['s/a'], ['s/b', 's/a']],
    [
      'what was used longest ago drops out',
      [at('s/a', 1), at('s/b', 2)],
      ['s/c', 's/d'],
      ['s/b', 's/c', 's/d'],
    ],
    [
      'each source has room of its own',
      [at('s/a', 1), at('s/b', 2), at('s/c', 3)],
      ['t/a'],
      ['s/a', 's/b', 's/c', 't/a'],
    ],
    ['of too many at once the last stay', [], ['s/a', 's/b', 's/c', 's/d'], ['s/b', 's/c', 's/d']],
    ['named twice counts once', [], ['s/a', 's/a'], ['s/a']],
  ])('%s', (_, before, operations, after) => {
    expect(keys(used(before, operations, 3, 10))).toEqual(after);
  });

  it('keep the time of their activation and get times that follow each other', () => {
    expect(used([at('s/a', 5)], ['s/b', 's/a'], 9, 10)).toEqual([
      { operation: 's/b', activatedAt: 10, usedAt: 10 },
      { operation: 's/a', activatedAt: 5, usedAt: 11 },
    ]);
  });

  it('end after a week without use', () => {
    const now = UNUSED_MS + 100;
    expect(keys(used([at('s/a', 100), at('s/b', 101)], ['s/c'], 9, now))).toEqual(['s/b', 's/c']);
  });

  it('never are more than fit a source, and hold what was just used', () => {
    const operation = fc.constantFrom('s/a', 's/b', 's/c', 's/d', 't/a', 't/b');
    fc.assert(
      fc.property(
        fc.array(fc.array(operation, { maxLength: 4 })),
        fc.integer({ min: 1, max: 3 }),
        (calls, max) => {
          let list: Activation[] = [];
          for (const [now, operations] of calls.entries()) {
            list = used(list, operations, max, now);
            const counts = Map.groupBy(list, (one) => one.operation[0]);
            for (const group of counts.values()) expect(group.length).toBeLessThanOrEqual(max);
            if (operations.length > 0) expect(keys(list).at(-1)).toBe(lastNew(operations));
          }
        },
      ),
    );
  });
});

/** Of operations named twice the first mention counts. */
function lastNew(operations: readonly string[]): string {
  return [...new Set(operations)].at(-1)!;
}
