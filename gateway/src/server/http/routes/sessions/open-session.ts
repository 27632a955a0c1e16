import { z } from 'zod';
import { route } from '../../route.ts';
import { sessionCookie } from '../../sessions/cookie.ts';
import type { SignInInput } from '../../sessions/create-sessions.ts';
import { SESSION, sessionView, TOKEN } from './session-schemas.ts';

export const openSession = route({
  method: 'post',
  path: '/api/v1/session',
  operationId: 'openSession',
  summary: 'Sign in to the console',
  description:
    'With a one-time code of `toolcrib console`, or with a credential; the session can do what that can, and no more. The answer sets an httpOnly cookie, which counts below /api/ only.',
  access: 'dangerous',
  tag: 'sessions',
  audience: 'everybody',
  body: z.union([
    z.strictObject({ code: z.string().min(1).max(200).describe('Good once, for five minutes.') }),
    z.strictObject({ token: TOKEN }),
  ]),
  response: { description: 'The session.', schema: SESSION },
  handle: async ({ body }, context) => {
    const { request, sessions } = context;
    const { session, secret } = await sessions.open(body as SignInInput, request);
    return Response.json(await sessionView(context, session, session.principal), {
      headers: { 'set-cookie': sessionCookie(request, secret, sessions.absoluteMs) },
    });
  },
});
