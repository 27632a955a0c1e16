import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECTION, ID } from '../record-schemas.ts';

export const getConnection = route({
  method: 'get',
  path: '/api/v1/connections/{id}',
  operationId: 'getConnection',
  summary: 'Get a connected account',
  access: 'read',
  tag: 'connections',
  params: z.object({ id: ID }),
  response: { description: 'The connection.', schema: CONNECTION },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).connections.get(principal, params.id),
});
