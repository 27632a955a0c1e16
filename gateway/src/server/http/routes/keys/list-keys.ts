import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { PAGE, pageOf } from '../page-of.ts';
import { ID, IN_ORGANISATION, KEY } from '../record-schemas.ts';

export const listKeys = route({
  method: 'get',
  path: '/api/v1/keys',
  operationId: 'listKeys',
  summary: 'List the API keys',
  description:
    'Oldest first, revoked and expired ones included; with `limit` a page, which `next` continues. The keys themselves are shown to nobody.',
  access: 'read',
  tag: 'keys',
  query: IN_ORGANISATION.extend({ user: ID.optional(), ...PAGE }),
  response: { description: 'Keys.', schema: z.object({ keys: z.array(KEY), next: z.string().optional() }) },
  handle: async ({ query: { after, limit, ...query } }, { gateway, principal }) => {
    const keys = await directoryOf(gateway).keys.list(principal, query);
    const { page, next } = pageOf(keys, { after, limit });
    return { keys: page, ...next };
  },
});
