import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from '../loopback-service.ts';
import { CROIT_TOKENS, type CroitTokenName, createAccounts, mayCall } from './accounts.ts';
import { FORBIDDEN, NOT_FOUND, UNAUTHORIZED } from './answers.ts';
import { documentRoutes, type RouteDocument } from './document-routes.ts';
import { routeMatcher } from './match-route.ts';
import { croitRoutes } from './routes.ts';

export type { CroitTokenName } from './accounts.ts';
export { ROW_COUNT } from './rows.ts';

/** `requests` holds everything that arrived, as bytes; `url` ends in `/api`. */
export interface CroitDouble extends LoopbackService {
  readonly tokens: typeof CROIT_TOKENS;
  /** From now on the token has these roles. */
  setRoles(name: CroitTokenName, roles: readonly string[]): void;
  /** Lets the answers for the slow token go. */
  release(): void;
}

/**
 * A Ceph management service as its document and its clients meet it. With a document, each of its operations that
 * has no behaviour of its own here answers with its name, and to whom the document says.
 */
export async function startCroitDouble(
  options: { readonly document?: RouteDocument } = {},
): Promise<CroitDouble> {
  const accounts = createAccounts();
  const route = routeMatcher([
    ...croitRoutes(),
    ...(options.document === undefined ? [] : documentRoutes(options.document)),
  ]);
  const answer = (request: ReceivedRequest): Answer | Promise<Answer> => {
    const caller = accounts.caller(request);
    if (request.method === 'GET' && request.path === '/auth/token-info') {
      return caller === undefined ? UNAUTHORIZED : accounts.tokenInfo(caller);
    }
    const found = route(request);
    if (found?.route.role === undefined) return found?.route.answer(request, found.parameters) ?? NOT_FOUND;
    if (caller === undefined) return UNAUTHORIZED;
    if (!mayCall(caller, found.route.role)) return FORBIDDEN;
    return found.route.answer(request, found.parameters);
  };
  const service = await startLoopbackService('/api', answer);
  return Object.assign(service, {
    tokens: CROIT_TOKENS,
    setRoles: accounts.setRoles,
    release: accounts.release,
    close: closing(service.close, accounts.release),
  });
}

function closing(close: () => Promise<void>, release: () => void): () => Promise<void> {
  return () => {
    release();
    return close();
  };
}
