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
  { type: 'source-changed', source: 'pets', message: String.raw`12 tools \u0000 \ud83d` },
  { type: 'dynamic_tool.call', source: 's', skill_id: 'k', latency_ms: 1, status: 'ok', call: 'c2' },
  callEnded('c2', {
    type: 'call-failed',
    tool: 'other',
    code: 'Upstream_Status',
    message: "It's 100% gone, Ölstand",
  }),
  {
    type: 'approval-decided',
    approval: 'p1',
    principal: 'bob',
    tool: 'other',
    source: 's',
    operation: 'o',
    state: 'approved',
  },
  // what PostgreSQL turns into no text
  { type: 'source-failed', source: 'cats', message: 'cut in half: \ud83d, and \u0000' },
  { type: 'user-changed', organisation: 'initech', principal: 'root', subject: 'u1', change: 'removed' },
];

const CASES: ReadonlyArray<readonly [EventQuery, readonly number[]]> = [
  [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  [{ limit: 2 }, [9, 10]],
  [{ type: 'call-progress' }, [3]],
  [{ type: 'approval-requested' }, [4]],
  [{ type: ['source-changed', 'call-completed'] }, [1, 5]],
  [{ organisation: 'acme' }, [0, 1, 7]],
  [{ principal: 'bob' }, [2, 3, 4, 8]],
  [{ tool: 'other' }, [2, 3, 4, 7, 8]],
  [{ source: 'pets' }, [5]],
  [{ sources: ['pets', 'none'] }, [5]],
  [{ source: 'cats' }, [9]],
  [{ text: 'cut in half' }, [9]],
  [{ sources: ['pets'], source: 's' }, []],
  [{ sources: [] }, []],
  [{ call: 'c2' }, [2, 3, 4, 6, 7]],
  [{ call: 'c2', limit: 2 }, [6, 7]],
  [{ call: 'c2', type: 'call-failed' }, [7]],
  [{ call: 'c2', organisation: 'acme' }, [7]],
  [{ call: 'none' }, []],
  [{ subjects: ['u1', 'u2'] }, [10]],
  [{ subjects: ['u1'], organisation: 'acme' }, []],
  [{ subjects: [] }, []],
  [{ before: 3 }, [0, 1]],
  [{ before: 6, limit: 2 }, [3, 4]],
  [{ before: 6, tool: 'other', limit: 2 }, [3, 4]],
  [{ through: 3 }, [0, 1, 2]],
  [{ through: 3, limit: 2 }, [1, 2]],
  [{ through: 4, before: 4 }, [0, 1, 2]],
  [{ through: 5, tool: 'other' }, [2, 3, 4]],
  [{ approval: 'p1' }, [4, 8]],
  [{ code: 'Upstream_Status' }, [7]],
  [{ code: 'upstream_status' }, []],
  [{ access: 'write' }, [0, 2]],
  [{ text: 'UPSTREAM_' }, [7]],
  [{ text: "it's 100%" }, [7]],
  [{ text: '12 tools' }, [5]],
  [{ text: '%' }, [7]],
  [{ text: 'Ölstand' }, [7]],
  [{ from: 0 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  [{ to: 1 }, []],
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
      expect((await log.list(3, { principal: 'bob' })).map(({ sequence }) => sequence)).toEqual([4, 5, 9]);
      expect((await log.list(3, { call: 'c2', limit: 2 })).map(({ sequence }) => sequence)).toEqual([4, 5]);
      expect((await log.list(2, { before: 6, limit: 2 })).map(({ sequence }) => sequence)).toEqual([4, 5]);
      expect((await log.list(2, { through: 4 })).map(({ sequence }) => sequence)).toEqual([3, 4]);
      expect((await log.list(2, { through: 5, limit: 2 })).map(({ sequence }) => sequence)).toEqual([3, 4]);
      // a call that still runs
      const running = { principal: 'bob', tool: 'other', source: 's', call: 'c3' };
      const started = await log.append(callStarted('c3', { access: 'write' }));
      const progress = await log.append({ type: 'call-progress', ...running, message: 'half' });
      expect(await log.list(undefined, { call: 'c3' })).toEqual([started, progress]);
      await log.close();
    });
  });
});
