import { expect, it } from 'vitest';
import type { Event, Principal } from '../../../src/operations/index.ts';
import { shownTo } from '../../../src/server/http/shown-events.ts';

const TIME = '2026-11-21T10:00:00.000Z';
const at = Date.parse(TIME);
const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const { organisation: _none, ...FREE } = ANN;

const event = (of: object) => ({ sequence: 1, time: TIME, ...of }) as unknown as Event;
const anns = { type: 'call-completed', principal: 'ann', organisation: 'acme', source: 'stock' };
const EVENTS: Readonly<Record<string, Event>> = {
  own: event(anns),
  bobs: event({ ...anns, principal: 'bob' }),
  elsewhere: event({ ...anns, organisation: 'other' }),
  nobodys: event({ type: 'upstream-failed', source: 'stock' }),
  shop: event({ ...anns, source: 'shop' }),
  admin: event({ type: 'key-changed', principal: 'ann', organisation: 'acme', subject: 'key' }),
};

it.each<[string, Principal, object, string[]]>([
  ['the owner everything', { ...FREE, kind: 'local' }, { roles: [] }, Object.keys(EVENTS)],
  ['the operator everything', { ...FREE, kind: 'token' }, { roles: [] }, Object.keys(EVENTS)],
  ['a user the own ones', ANN, { roles: [] }, ['own', 'shop', 'admin']],
  ['a user with other roles the own ones', ANN, { roles: ['support'] }, ['own', 'shop', 'admin']],
  ['a user nothing of a removed one', ANN, { roles: [], since: at + 1 }, []],
  ['a user those since then', ANN, { roles: [], since: at }, ['own', 'shop', 'admin']],
  ["an admin the organisation's", ANN, { roles: ['admin'] }, ['own', 'bobs', 'shop', 'admin']],
  ['an admin nothing of a removed organisation', ANN, { roles: ['admin'], since: at + 1 }, []],
  [
    "an admin the organisation's since then",
    ANN,
    { roles: ['admin'], since: at },
    ['own', 'bobs', 'shop', 'admin'],
  ],
  [
    'a limited key those of its sources',
    { ...ANN, sources: ['stock'] },
    { roles: ['admin'] },
    ['own', 'bobs'],
  ],
  ['a key limited to nothing none', { ...ANN, sources: [] }, { roles: ['admin'] }, []],
  ['who belongs to no organisation none', FREE, { roles: ['admin'] }, []],
])('shows %s', (_, principal, profile, expected) => {
  const shown = shownTo(principal, profile as Parameters<typeof shownTo>[1]);
  expect(Object.keys(EVENTS).filter((name) => shown(EVENTS[name]!))).toEqual(expected);
});
