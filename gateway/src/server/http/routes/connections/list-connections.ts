import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { PAGE, pageOf } from '../page-of.ts';
import { CONNECTION, ID, IN_ORGANISATION } from '../record-schemas.ts';

export const listConnections = route({
  method: 'get',
  path: '/api/v1/connections',
  operationId: 'listConnections',
  summary: 'List the connected accounts',
  description: "The organisation's and the own ones, by source; with `limit` a page, which `next` continues.",
  access: 'read',
  tag: 'connections',
  query: IN_ORGANISATION.extend({ source: ID.optional(), ...PAGE }),
  response: {
    description: 'Connections.',
    schema: z.object({ connections: z.array(CONNECTION), next: z.string().optional() }),
  },
  handle: async ({ query: { after, limit, ...query } }, { gateway, principal }) => {
    const connections = await directoryOf(gateway).connections.list(principal, query);
    const { page, next } = pageOf(connections, { after, limit });
    return { connections: page, ...next };
  },
});
