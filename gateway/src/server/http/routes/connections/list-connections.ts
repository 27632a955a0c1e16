import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECTION, ID, IN_ORGANISATION } from '../record-schemas.ts';

export const listConnections = route({
  method: 'get',
  path: '/api/v1/connections',
  operationId: 'listConnections',
  summary: 'List the connected accounts',
  description: "The organisation's and the own ones.",
  access: 'read',
  tag: 'connections',
  query: IN_ORGANISATION.extend({ source: ID.optional() }),
  response: { description: 'Connections.', schema: z.object({ connections: z.array(CONNECTION) }) },
  handle: async ({ query }, { gateway, principal }) => ({
    connections: await directoryOf(gateway).connections.list(principal, query as never),
  }),
});
