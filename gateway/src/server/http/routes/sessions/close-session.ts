import { route } from '../../route.ts';
import { endedCookies } from '../../sessions/cookie.ts';

export const closeSession = route({
  method: 'delete',
  path: '/api/v1/session',
  operationId: 'closeSession',
  summary: 'Sign out of the console',
  description: 'The session ends at once, in every process of the store.',
  access: 'dangerous',
  tag: 'sessions',
  response: { status: 204, description: 'Nobody is signed in at this browser any more.' },
  handle: async (_input, { session, sessions, request }) => {
    if (session !== undefined) await sessions.close(session);
    const response = new Response(null, { status: 204 });
    for (const cookie of endedCookies(request)) response.headers.append('set-cookie', cookie);
    return response;
  },
});
