import { route } from '../../route.ts';
import { SESSION, sessionView } from './session-schemas.ts';

export const getSession = route({
  method: 'get',
  path: '/api/v1/session',
  operationId: 'getSession',
  summary: 'Get who is signed in at this browser',
  description: 'Needs no credential. Says how the gateway lets callers in and what this one can do.',
  access: 'read',
  tag: 'sessions',
  audience: 'everybody',
  response: { description: 'The session.', schema: SESSION },
  handle: (_input, context) => sessionView(context, context.session, context.principal),
});
