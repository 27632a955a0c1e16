import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { route } from '../../route.ts';
import { sessionCookie } from '../../sessions/cookie.ts';
import { SESSION, sessionView, TOKEN } from './session-schemas.ts';

export const addSessionApprover = route({
  method: 'post',
  path: '/api/v1/session/approver',
  operationId: 'addSessionApprover',
  summary: 'Let this session decide approvals, too',
  description:
    'With a key of the same user of the same organisation that was made for deciding; where the session was opened with the server token, with the approver token. The session goes on under another cookie and CSRF token.',
  access: 'dangerous',
  tag: 'sessions',
  body: z.strictObject({ token: TOKEN }),
  response: { description: 'The session.', schema: SESSION },
  handle: async ({ body: { token } }, context) => {
    const { session, sessions, request, principal } = context;
    if (session === undefined) {
      throw new ToolcribError('unauthorized', 'There is no session.', {
        next: 'Sign in to the console first.',
      });
    }
    const { session: opened, secret } = await sessions.addApprover(session, token, request);
    return Response.json(await sessionView(context, opened, principal), {
      headers: { 'set-cookie': sessionCookie(request, secret, sessions.absoluteMs) },
    });
  },
});
