import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Principal } from '../../operations/index.ts';
import type { Guards } from './guards.ts';
import type { Route } from './route.ts';
import { readCookie } from './sessions/cookie.ts';
import type { Sessions } from './sessions/create-sessions.ts';
import type { Session } from './sessions/session.ts';

/** Who sent a request. */
export interface RequestOwner {
  readonly principal: Principal;
  /** Calls of our own API that led here. */
  readonly depth: number;
  /** Where a browser sent it that is signed in. */
  readonly session?: Session | undefined;
}

/** Who shows nothing where something must be shown; for the few routes that answer everybody. May do nothing. */
const NOBODY: Principal = Object.freeze({
  id: 'nobody',
  kind: 'user',
  maxAccess: 'read',
  roles: [],
  sources: [],
});

export type Reception = ReturnType<typeof createReception>;

/** Who sends requests to the HTTP API: a browser by its session, everybody else by a bearer. */
export function createReception(guards: Guards, sessions: Sessions) {
  const bySession = async (request: Request): Promise<RequestOwner | undefined> => {
    const session = await sessions.find(request);
    return session && { principal: session.principal, depth: 0, session };
  };
  const byBearer = async (request: Request): Promise<RequestOwner> => {
    try {
      return { principal: await guards.principal(request), depth: 0 };
    } catch (error) {
      const ended = readCookie(request) !== undefined && !request.headers.has('authorization');
      if (!ended || !isUnauthorized(error)) throw error;
      throw new ToolcribError('unauthorized', 'The session has ended.', { next: 'Sign in again.' });
    }
  };
  return {
    /** Throws `unauthorized`, `user_refused`, `csrf_refused`, `store_unavailable`. */
    async ownerOf(request: Request, { audience }: Pick<Route, 'audience'>): Promise<RequestOwner> {
      const signedIn = await bySession(request);
      if (audience !== 'everybody') {
        if (signedIn?.session === undefined) return byBearer(request);
        sessions.checkCsrf(request, signedIn.session);
        return signedIn;
      }
      if (signedIn !== undefined) return signedIn;
      return byBearer(request).catch((error: unknown) => {
        if (isUnauthorized(error) || isRefusedUser(error)) return { principal: NOBODY, depth: 0 };
        throw error;
      });
    },
  };
}

function isUnauthorized(error: unknown): boolean {
  return isToolcribError(error) && error.code === 'unauthorized';
}

function isRefusedUser(error: unknown): boolean {
  return isToolcribError(error) && error.code === 'user_refused';
}
