import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, KEY } from '../record-schemas.ts';

export const listKeys = route({
  method: 'get',
  path: '/api/v1/keys',
  operationId: 'listKeys',
  summary: 'List the API keys',
  description: 'Revoked and expired ones included. The keys themselves are shown to nobody.',
  access: 'read',
  tag: 'keys',
  query: IN_ORGANISATION.extend({ user: ID.optional() }),
  response: { description: 'Keys.', schema: z.object({ keys: z.array(KEY) }) },
  handle: async ({ query }, { gateway, principal }) => ({
    keys: await directoryOf(gateway).keys.list(principal, query as never),
  }),
});
