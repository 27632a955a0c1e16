import { describe, expect, it } from 'vitest';
import type { Approvals } from '../../../src/gateway-core.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import type { GatewayAdmin } from '../../../src/server/http/admin/gateway-admin.ts';
import { deciderOf, decidesNow, viewerOf } from '../../../src/server/http/decider-of.ts';
import { APPROVER_PRINCIPAL, TOKEN_PRINCIPAL } from '../../../src/server/http/guards.ts';
import type { Session } from '../../../src/server/http/sessions/session.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const ANN_DECIDES: Principal = { ...ANN, sources: [], purpose: 'approve' };

/** Whose users hold these roles now, and where these may decide. */
const gatewayOf = (roles: readonly string[], mayDecide = true) =>
  ({
    profile: async () => ({ roles, sources: [], effectiveAccess: {} }),
    approvals: async () => ({ mayDecide: () => mayDecide }) as unknown as Approvals,
  }) as unknown as GatewayAdmin;

const sessionOf = (kind: Session['kind'], decides?: Principal) =>
  ({ kind, ...(decides === undefined ? {} : { decides }) }) as Session;

describe('decides:', () => {
  it.each<[string, Principal, Session | undefined, object]>([
    [
      "the owner's session",
      LOCAL_PRINCIPAL,
      sessionOf('owner', LOCAL_PRINCIPAL),
      { kind: 'operator', channel: 'console', id: 'owner' },
    ],
    [
      'the approver token',
      APPROVER_PRINCIPAL,
      undefined,
      { kind: 'operator', channel: 'http', id: 'approver' },
    ],
    [
      'a session of the server token that the approver token was added to',
      TOKEN_PRINCIPAL,
      sessionOf('token', APPROVER_PRINCIPAL),
      { kind: 'operator', channel: 'console', id: 'approver' },
    ],
    [
      'a key that was made for it, with the roles of its user now',
      ANN_DECIDES,
      undefined,
      { kind: 'user', channel: 'http', principal: ANN_DECIDES, roles: ['lead'] },
    ],
    [
      "a user's session that such a key was added to",
      ANN,
      sessionOf('user', ANN_DECIDES),
      { kind: 'user', channel: 'console', principal: ANN_DECIDES, roles: ['lead'] },
    ],
  ])('%s', async (_, principal, session, decider) => {
    expect(await deciderOf(gatewayOf(['lead']), { principal, session })).toEqual(decider);
  });
});

describe('decides nothing:', () => {
  it.each<[string, Principal, Session | undefined]>([
    ['the owner of the process without a session', LOCAL_PRINCIPAL, undefined],
    ['the server token', TOKEN_PRINCIPAL, undefined],
    ['a session of the server token', TOKEN_PRINCIPAL, sessionOf('token')],
    ["a user's session that holds nothing for it", ANN, sessionOf('user')],
    [
      'a session whose second credential was not made for it',
      TOKEN_PRINCIPAL,
      sessionOf('token', TOKEN_PRINCIPAL),
    ],
  ])('%s', async (_, principal, session) => {
    await expect(deciderOf(gatewayOf(['lead']), { principal, session })).rejects.toMatchObject({
      code: 'approval_forbidden',
    });
  });
});

it.each<[boolean, string, Principal, Session, boolean]>([
  [false, 'holds nothing for it', ANN, sessionOf('user'), true],
  [true, "holds a user's key whose user is an approver", ANN, sessionOf('user', ANN_DECIDES), true],
  [false, "holds a user's key whose user is none", ANN, sessionOf('user', ANN_DECIDES), false],
  [true, 'holds the approver token', TOKEN_PRINCIPAL, sessionOf('token', APPROVER_PRINCIPAL), false],
])('says %s of a session that %s', async (decides, _, principal, session, mayDecide) => {
  expect(await decidesNow(gatewayOf([], mayDecide), { principal, session })).toBe(decides);
});

it.each<[string, Principal, object]>([
  ['the owner of the process all', LOCAL_PRINCIPAL, { kind: 'operator' }],
  ['the server token all', TOKEN_PRINCIPAL, { kind: 'operator' }],
  ['a user what the own roles show', ANN, { kind: 'user', principal: ANN, roles: ['lead'] }],
])('sees of approvals: %s', async (_, principal, viewer) => {
  expect(await viewerOf(gatewayOf(['lead']), principal)).toEqual(viewer);
});
