import { expect, it } from 'vitest';
import { createEventLog } from '../../../../../src/events/event-log.ts';
import type { Principal } from '../../../../../src/operations/index.ts';
import type { GatewayAdmin } from '../../../../../src/server/http/admin/gateway-admin.ts';
import { callStory } from '../../../../../src/server/http/routes/events/call-story.ts';
import { callEnded, callStarted } from '../../../../store/support/records.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const approval = {
  approval: 'a1',
  tool: 't',
  source: 'greenhouse',
  operation: 'list_candidates',
  state: 'pending',
};

/** A log with one call of ann, what became of its source's server meanwhile, and events that name its approval. */
async function told(principal: Principal, roles: readonly string[]) {
  const log = createEventLog();
  const asked = { ...approval, type: 'approval-requested', call: 'c1', principal: 'ann' } as const;
  await log.append(callStarted('c1', { approval: 'a1' }));
  await log.append({ ...asked, organisation: 'acme' } as Parameters<typeof log.append>[0]);
  await log.append({ ...asked, organisation: 'other' } as Parameters<typeof log.append>[0]);
  await log.append({ ...asked, organisation: 'acme', principal: 'bob' } as Parameters<typeof log.append>[0]);
  await log.append({ type: 'upstream-failed', source: 'greenhouse', message: 'of the operator' });
  await log.append(callEnded('c1', { approval: 'a1' }));
  const gateway = {
    events: (after: number | undefined, query: object) => log.list(after, query),
    profile: async () => ({ roles, sources: [], effectiveAccess: {} }),
  } as unknown as GatewayAdmin;
  return callStory(gateway, principal, 'c1');
}

it.each<[string, Principal, readonly string[], readonly string[]]>([
  ['its caller', ANN, [], ['call-started', 'approval-requested of ann', 'call-completed']],
  [
    'an admin',
    { ...ANN, id: 'root' },
    ['admin'],
    ['call-started', 'approval-requested of ann', 'approval-requested of bob', 'call-completed'],
  ],
  [
    'the operator',
    { ...ANN, kind: 'token' },
    [],
    [
      'call-started',
      'approval-requested of ann',
      'approval-requested of ann',
      'approval-requested of bob',
      'upstream-failed',
      'call-completed',
    ],
  ],
])('tells %s those events that are theirs to see', async (_, principal, roles, expected) => {
  const { organisation: _none, ...operator } = principal;
  const { events } = await told(principal.kind === 'token' ? operator : principal, roles);
  const shown = events.map((event) =>
    event.type === 'approval-requested' ? `${event.type} of ${event.principal}` : event.type,
  );
  expect(shown).toEqual(expected);
});

it.each<[string, Partial<Principal>]>([
  ['another user', { id: 'bob' }],
  ['who has the same id in another organisation', { organisation: 'other' }],
  ['a key of another source', { sources: ['shop'] }],
])('is unknown to %s', async (_, more) => {
  await expect(told({ ...ANN, ...more }, [])).rejects.toMatchObject({ code: 'not_found' });
});
