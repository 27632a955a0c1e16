import { describe, expect, it } from 'vitest';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { createEventLog, type EventQuery } from '../../src/events/event-log.ts';
import type { EventBody } from '../../src/operations/index.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import { onEveryStore } from '../store/support/stores.ts';

const BODIES: readonly EventBody[] = [
  callStarted('c1', { run: 'r1', access: 'write' }),
  callEnded('c1', { run: 'r1' }),
  callStarted('c2', { organisation: 'globex', tool: 'other', principal: 'bob', access: 'write' }),
  {
    type: 'call-progress',
    call: 'c2',
    run: 'r2',
    principal: 'bob',
    tool: 'other',
    source: 's',
    message: 'm',
  },
  {
    type: 'approval-requested',
    approval: 'p1',
    principal: 'bob',
    tool: 'other',
    source: 's',
    operation: 'o',
    state: 'pending',
    call: 'c2',
  },
  { type: 'source-compiled', source: 'pets', message: '12 tools' },
];

const CASES: ReadonlyArray<readonly [EventQuery, readonly number[]]> = [
  [{}, [0, 1, 2, 3, 4, 5]],
  [{ limit: 2 }, [4, 5]],
  [{ type: 'call-progress' }, [3]],
  [{ type: 'approval-requested' }, [4]],
  [{ type: ['source-compiled', 'call-completed'] }, [1, 5]],
  [{ organisation: 'acme' }, [0, 1]],
  [{ principal: 'bob' }, [2, 3, 4]],
  [{ tool: 'other' }, [2, 3, 4]],
  [{ source: 'pets' }, [5]],
  [{ call: 'c2' }, [2, 3, 4]],
  [{ run: 'r1' }, [0, 1]],
  [{ run: "r1' or '1'='1" }, []],
  [{ run: 'r1', type: 'call-completed' }, [1]],
];

describe('a log in memory', () => {
  it.each(CASES)('%j', async (query, expected) => {
    const log = createEventLog();
    for (const body of BODIES) await log.append(body);
    expect((await log.list(undefined, query)).map(({ sequence }) => sequence - 1)).toEqual(expected);
  });
});

onEveryStore(({ open }) => {
  describe('a log in the store', () => {
    it('finds the same', async () => {
      const log = createDurableEvents({ store: await open(), recover: false });
      for (const body of BODIES) await log.append(body);
      for (const [query, expected] of CASES) {
        const found = (await log.list(undefined, query)).map(({ sequence }) => sequence - 1);
        expect([query, found]).toEqual([query, expected]);
      }
      expect((await log.list(3, { principal: 'bob' })).map(({ sequence }) => sequence)).toEqual([4, 5]);
      await log.close();
    });
  });
});
