import { describe, expect, it } from 'vitest';
import { readDecision, readFormDecision } from '../../src/approvals/decision.ts';

const REJECTED = { decision: 'reject' };

describe('readDecision', () => {
  it.each([
    [{ decision: 'approve' }, { decision: 'approve' }],
    [{ decision: 'approve_always' }, { decision: 'approve_always' }],
    [
      { decision: 'edit', arguments: { id: 7 } },
      { decision: 'edit', arguments: { id: 7 } },
    ],
    [
      { decision: 'edit', arguments: { id: null, tags: ['a', null, 1], at: { on: true } } },
      { decision: 'edit', arguments: { id: null, tags: ['a', null, 1], at: { on: true } } },
    ],
    [
      { decision: 'reject', reason: 'no' },
      { decision: 'reject', reason: 'no' },
    ],
    [{ decision: 'Approve' }, REJECTED],
    [{ decision: ['approve'] }, REJECTED],
    [{ decision: 'approve', arguments: { id: 7 } }, REJECTED],
    [{ decision: 'approve_always', arguments: { id: 7 } }, REJECTED],
    [{ decision: 'reject', reason: '' }, REJECTED],
    [{ decision: 'edit' }, REJECTED],
    [{ decision: 'edit', arguments: [1] }, REJECTED],
    [{ decision: 'edit', arguments: JSON.parse('{"a":{"__proto__":{}}}') }, REJECTED],
    [{ decision: 'edit', arguments: JSON.parse('{"a":[{"__proto__":1}]}') }, REJECTED],
    [{ approved: true }, REJECTED],
    ['approve', REJECTED],
    [true, REJECTED],
    [null, REJECTED],
    [undefined, REJECTED],
    [[{ decision: 'approve' }], REJECTED],
  ])('reads %j', (given, expected) => expect(readDecision(given)).toEqual(expected));
});

describe('readFormDecision', () => {
  const UNCLEAR = { decision: 'reject', reason: expect.stringContaining('arguments were edited') };
  it.each<[Record<string, unknown>, object]>([
    [
      { decision: 'edit', arguments: '{"id":7}' },
      { decision: 'edit', arguments: { id: 7 } },
    ],
    [{ decision: 'edit', arguments: '{id:7}' }, REJECTED],
    [{ decision: 'edit', arguments: '7' }, REJECTED],
    [{ decision: 'edit' }, REJECTED],
    // a form sends its empty field along
    [{ decision: 'approve', arguments: '' }, { decision: 'approve' }],
    [{}, REJECTED],
    // or what it began with, as it writes JSON
    [{ decision: 'approve', arguments: '{ "id": 1, "tag": "a" }' }, { decision: 'approve' }],
    [{ decision: 'approve_always', arguments: '{"tag":"a","id":1}' }, { decision: 'approve_always' }],
    [{ decision: 'approve', arguments: '{"id":2,"tag":"a"}' }, UNCLEAR],
    [{ decision: 'approve_always', arguments: '{"id":1}' }, UNCLEAR],
    [{ decision: 'approve', arguments: 'id 2' }, UNCLEAR],
    [{ decision: 'approve', arguments: 'null' }, UNCLEAR],
    [{ decision: 'approve', arguments: { id: 2 } }, UNCLEAR],
    [
      { decision: 'reject', arguments: '{"id":2}', reason: 'no' },
      { decision: 'reject', reason: 'no' },
    ],
  ])('reads %j', (given, expected) => {
    expect(readFormDecision(given, { id: 1, tag: 'a' })).toEqual(expected);
  });
});
