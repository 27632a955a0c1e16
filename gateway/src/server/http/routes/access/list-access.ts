import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, SET_LEVEL } from '../record-schemas.ts';

export const listAccess = route({
  method: 'get',
  path: '/api/v1/access',
  operationId: 'listAccess',
  summary: 'List the access levels that were set',
  description:
    'What admins allow and what users chose. What has no level has none. `GET /api/v1/config` shows what this comes to for the caller.',
  access: 'read',
  tag: 'access',
  query: IN_ORGANISATION.extend({ user: ID.optional() }),
  response: { description: 'Levels.', schema: z.object({ levels: z.array(SET_LEVEL) }) },
  handle: async ({ query }, { gateway, principal }) => ({
    levels: await directoryOf(gateway).levels.list(principal, query as never),
  }),
});
