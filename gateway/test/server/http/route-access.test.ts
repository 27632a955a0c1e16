import { describe, expect, it } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import { APPROVER_PRINCIPAL, TOKEN_PRINCIPAL } from '../../../src/server/http/guards.ts';
import type { RequestOwner } from '../../../src/server/http/reception.ts';
import type { Route } from '../../../src/server/http/route.ts';
import { checkRouteAccess } from '../../../src/server/http/route-access.ts';
import { ROUTES } from '../../../src/server/http/routes/index.ts';
import type { Session, SessionKind } from '../../../src/server/http/sessions/session.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const DECIDING: Principal = { ...ANN, purpose: 'approve', sources: [] };
const READS: Partial<Route> = { operationId: 'listTools', access: 'read', tag: 'tools' };

/** The code of the refusal; undefined: the caller may come. */
function refused(route: Partial<Route>, owner: Partial<RequestOwner>): string | undefined {
  try {
    checkRouteAccess({ ...READS, ...route } as Route, { principal: LOCAL_PRINCIPAL, depth: 0, ...owner });
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a tool', () => {
  it.each([1, 2])('never comes to what is dangerous, %i calls deep', (depth) => {
    expect(refused({ access: 'dangerous' }, { depth })).toBe('tool_forbidden');
    expect(refused({ access: 'delete' }, { depth })).toBeUndefined();
  });

  it('is not whoever asks for it directly', () => {
    expect(refused({ access: 'dangerous' }, {})).toBeUndefined();
  });
});

describe('a credential that decides', () => {
  it.each([APPROVER_PRINCIPAL, DECIDING])('comes to approvals and its session: $kind', (principal) => {
    for (const tag of ['approvals', 'sessions']) expect(refused({ tag }, { principal })).toBeUndefined();
    for (const tag of ['tools', 'events', 'server', 'artifacts', 'usage', 'keys'])
      expect(refused({ tag }, { principal }), tag).toBe('tool_forbidden');
  });
});

describe('what concerns the whole gateway', () => {
  it('is for its owner and the holder of its token, and for no user', () => {
    for (const principal of [LOCAL_PRINCIPAL, TOKEN_PRINCIPAL])
      expect(refused({ audience: 'operator' }, { principal })).toBeUndefined();
    expect(refused({ audience: 'operator' }, { principal: ANN })).toBe('admin_needed');
    expect(refused({}, { principal: ANN })).toBeUndefined();
  });
});

describe('what runs programs', () => {
  const session = (kind: SessionKind) => ({ kind }) as Session;

  it('is for a session of the owner, and for no other way in', () => {
    expect(refused({ audience: 'owner' }, { session: session('owner') })).toBeUndefined();
    for (const kind of ['token', 'user', 'approver'] as const)
      expect(refused({ audience: 'owner' }, { session: session(kind) }), kind).toBe('owner_needed');
    expect(refused({ audience: 'owner' }, {})).toBe('owner_needed');
  });
});

describe('the routes that there are', () => {
  const openTo = (owner: Partial<RequestOwner>) =>
    new Set(ROUTES.filter((route) => refused(route, owner) === undefined).map((route) => route.operationId));
  const all = openTo({ session: { kind: 'owner' } as Session });
  const operators = openTo({ principal: TOKEN_PRINCIPAL });
  const users = openTo({ principal: ANN });

  it('come to the owner of the machine, all of them', () => {
    expect(all.size).toBe(ROUTES.length);
  });

  it.each([
    [
      'the owner’s alone',
      all.difference(operators),
      ['saveSource', 'removeSource', 'keepSourceDocument', 'acceptCatalog', 'rejectCatalog'],
      ['listSessions', 'endSession'],
    ],
    [
      'no user’s',
      operators.difference(users),
      ['getCatalog', 'getCatalogReport', 'getCatalogDiff', 'getSourceOptions', 'refreshSource'],
      ['getConfiguration', 'getFindings', 'setFeature'],
    ],
    [
      'also of who decides and does nothing else',
      openTo({ principal: DECIDING }),
      ['getSession', 'getSignInLink', 'openSession', 'closeSession', 'addSessionApprover'],
      [
        'listApprovals',
        'listApprovalPeople',
        'getApproval',
        'getApprovalCount',
        'checkApprovalEdit',
        'decideApproval',
      ],
      ['linkApproval', 'listStandingApprovals', 'revokeStandingApproval'],
    ],
    [
      'also of who shows nothing',
      new Set(ROUTES.filter(({ audience }) => audience === 'everybody').map((route) => route.operationId)),
      ['getSession', 'getSignInLink', 'openSession'],
    ],
  ])('are %s', (_whose, found, ...expected) => {
    expect([...found].toSorted()).toEqual(expected.flat().toSorted());
  });
});
