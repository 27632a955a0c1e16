import type { Answer, ReceivedRequest } from '../loopback-service.ts';
import { json } from './answers.ts';

/** Bearer tokens by what becomes of them; any other is unknown. */
export const CROIT_TOKENS = Object.freeze({
  admin: '11111111-aaaa-4aaa-8aaa-000000000001',
  viewer: '11111111-aaaa-4aaa-8aaa-000000000002',
  /** Signed in, but with an empty list of roles. */
  roleless: '11111111-aaaa-4aaa-8aaa-000000000003',
  /** 401 everywhere. */
  expired: '11111111-aaaa-4aaa-8aaa-000000000004',
  /** Token-info answers 500; everything else as for an admin. */
  broken: '11111111-aaaa-4aaa-8aaa-000000000005',
  /** Token-info answers once the double is told to; everything else as for an admin. */
  slow: '11111111-aaaa-4aaa-8aaa-000000000006',
  /** Token-info answers 200 with a page of HTML. */
  malformed: '11111111-aaaa-4aaa-8aaa-000000000007',
});

export type CroitTokenName = keyof typeof CROIT_TOKENS;
export type Role = 'admin' | 'viewer';

const ROLES: Readonly<Record<CroitTokenName, readonly string[]>> = {
  admin: ['ADMIN', 'VIEWER'],
  viewer: ['VIEWER'],
  roleless: [],
  expired: [],
  broken: ['ADMIN'],
  slow: ['ADMIN'],
  malformed: ['ADMIN'],
};

/** Who calls, with the roles that the token has now. */
export interface Caller {
  readonly name: CroitTokenName;
  readonly roles: readonly string[];
}

export interface Accounts {
  /** Undefined: no token, an unknown one or an expired one. */
  caller(request: ReceivedRequest): Caller | undefined;
  /** From now on the token has these roles. */
  setRoles(name: CroitTokenName, roles: readonly string[]): void;
  tokenInfo(caller: Caller): Promise<Answer>;
  /** Lets the answers for the slow token go. */
  release(): void;
}

export function createAccounts(): Accounts {
  const roles = new Map(Object.entries(ROLES)) as Map<CroitTokenName, readonly string[]>;
  const names = new Map<string, CroitTokenName>(
    Object.entries(CROIT_TOKENS).map(([name, token]) => [token, name as CroitTokenName]),
  );
  const held = Promise.withResolvers<void>();
  return {
    caller({ headers }) {
      const name = names.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
      return name === undefined || name === 'expired' ? undefined : { name, roles: roles.get(name)! };
    },
    setRoles: (name, given) => void roles.set(name, given),
    async tokenInfo({ name, roles: now }) {
      if (name === 'broken') return json(500, { error: 'Internal error while reading the session' });
      if (name === 'malformed') {
        return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
      }
      if (name === 'slow') await held.promise;
      return json(200, { username: name, roles: now, expiry: null, oidcId: null, oidcSubject: null });
    },
    release: () => held.resolve(),
  };
}

/** Any role will do where an operation asks for a viewer. */
export function mayCall(caller: Caller, needed: Role): boolean {
  return (
    needed === 'viewer' ||
    caller.roles.some((role) => ['ADMIN', 'ADMINISTRATOR'].includes(role.toUpperCase()))
  );
}
