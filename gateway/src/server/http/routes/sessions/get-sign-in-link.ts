import { z } from 'zod';
import { route } from '../../route.ts';

export const getSignInLink = route({
  method: 'get',
  path: '/api/v1/session/links/{id}',
  operationId: 'getSignInLink',
  summary: 'Ask whether a sign-in link is of this gateway',
  description:
    'Needs no credential. A link of `toolcrib console` counts where the gateway has the state directory in which it was made. Asking does not use it.',
  access: 'read',
  tag: 'sessions',
  audience: 'everybody',
  params: z.object({
    id: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'An id has 64 hex digits.')
      .describe('SHA-256 of its code, which does not sign in.'),
  }),
  response: {
    description: 'Whether it waits to be used.',
    schema: z.object({ waits: z.boolean().describe('False, too, once it was used or its time is over.') }),
  },
  handle: async ({ params: { id } }, { sessions }) => ({ waits: await sessions.knowsLink(id) }),
});
