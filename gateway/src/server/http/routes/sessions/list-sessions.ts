import { z } from 'zod';
import { route } from '../../route.ts';
import { OPENED_WITH, openedWith } from '../../sessions/opened-with.ts';

export const listSessions = route({
  method: 'get',
  path: '/api/v1/sessions',
  operationId: 'listSessions',
  summary: 'List the browsers that are signed in',
  description: 'For the owner of the machine. The last used first, at most 1000.',
  access: 'read',
  tag: 'sessions',
  audience: 'owner',
  response: {
    description: 'Sessions.',
    schema: z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          openedWith: z.enum(OPENED_WITH),
          credential: z.string().optional().describe('Id of the key, or subject of whoever signed in.'),
          mayDecide: z.boolean().describe('A second credential lets it decide approvals.'),
          createdAt: z.string(),
          usedAt: z.string().describe('To the minute.'),
          own: z.boolean().describe('The one that asks.'),
        }),
      ),
    }),
  },
  handle: async (_input, { sessions, session }) => ({
    sessions: (await sessions.list()).map(({ id, credential, approver, createdAt, usedAt }) => ({
      id,
      openedWith: openedWith(credential),
      ...(credential.kind === 'key' ? { credential: credential.id } : {}),
      ...(credential.kind === 'sign-in' ? { credential: credential.subject } : {}),
      mayDecide: approver !== undefined,
      createdAt: new Date(createdAt).toISOString(),
      usedAt: new Date(usedAt).toISOString(),
      own: id === session?.id,
    })),
  }),
});
