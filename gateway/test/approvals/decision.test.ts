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
    [
      { decision: 'reject', reason: 'x'.repeat(501) },
      { decision: 'reject', reason: 'x'.repeat(500) },
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
  const rejected = (why: string) => ({ decision: 'reject', reason: expect.stringContaining(why) });
  const EDITED = rejected('arguments were edited');
  const NO_OBJECT = rejected('no JSON object');
  it.each<[Record<string, unknown>, object]>([
    [
      { decision: 'edit', arguments: '{"id":7}' },
      { decision: 'edit', arguments: { id: 7 } },
    ],
    [{ decision: 'edit', arguments: '{id:7}' }, NO_OBJECT],
    [{ decision: 'edit', arguments: '7' }, NO_OBJECT],
    [{ decision: 'edit', arguments: '[{"id":7}]' }, NO_OBJECT],
    [{ decision: 'edit', arguments: ['{"id":7}'] }, NO_OBJECT],
    [{ decision: 'edit', arguments: { id: 7 } }, NO_OBJECT],
    [{ decision: 'edit', arguments: '' }, NO_OBJECT],
    [{ decision: 'edit' }, NO_OBJECT],
    [{ decision: 'edit', arguments: '{"a":[{"__proto__":1}]}' }, rejected('__proto__')],
    // 2^53 + 1 would go out as 2^53
    [{ decision: 'edit', arguments: '{"id":9007199254740993}' }, rejected('9007199254740993 would lose')],
    // a form sends its empty field along
    [{ decision: 'approve', arguments: '' }, { decision: 'approve' }],
    [{}, REJECTED],
    // or what it began with, as it writes JSON
    [{ decision: 'approve', arguments: '{ "id": 1, "tag": "a" }' }, { decision: 'approve' }],
    [{ decision: 'approve_always', arguments: '{"tag":"a","id":1}' }, { decision: 'approve_always' }],
    [{ decision: 'approve', arguments: '{"id":2,"tag":"a"}' }, EDITED],
    [{ decision: 'approve_always', arguments: '{"id":1}' }, EDITED],
    [{ decision: 'approve', arguments: 'id 2' }, EDITED],
    [{ decision: 'approve', arguments: 'null' }, EDITED],
    [{ decision: 'approve', arguments: null }, EDITED],
    [{ decision: 'approve', arguments: { id: 2 } }, EDITED],
    [{ decision: 'approve', arguments: { id: 1, tag: 'a' } }, EDITED],
    [{ decision: ['edit'], arguments: '{"id":7}' }, REJECTED],
    [
      { decision: 'reject', arguments: '{"id":2}', reason: 'no' },
      { decision: 'reject', reason: 'no' },
    ],
  ])('reads %j', (given, expected) => {
    expect(readFormDecision(given, { id: 1, tag: 'a' })).toEqual(expected);
  });

  it('takes no number for the shown one that only rounding makes equal', () => {
    const given = { decision: 'approve', arguments: '{"id":9007199254740993}' };
    expect(readFormDecision(given, { id: 9007199254740992 })).toEqual(EDITED);
    expect(
      readFormDecision({ ...given, arguments: '{"id":9007199254740992}' }, { id: 9007199254740992 }),
    ).toEqual({ decision: 'approve' });
  });
});
