import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { route } from '../../route.ts';

export const endSession = route({
  method: 'delete',
  path: '/api/v1/sessions/{id}',
  operationId: 'endSession',
  summary: 'Sign a browser out',
  description: 'For the owner of the machine: of a browser that was lost, or is not known.',
  access: 'dangerous',
  tag: 'sessions',
  audience: 'owner',
  params: z.object({
    id: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'An id has 64 hex digits.')
      .describe('Id of the session.'),
  }),
  response: { status: 204, description: 'The session has ended.' },
  handle: async ({ params: { id } }, { sessions, principal }) => {
    if (await sessions.end(id, principal)) return undefined;
    throw new ToolcribError('record_unknown', 'There is no such session.');
  },
});
