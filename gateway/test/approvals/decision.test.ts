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
  it.each([
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
  ])('reads %j', (given, expected) => expect(readFormDecision(given)).toEqual(expected));
});
