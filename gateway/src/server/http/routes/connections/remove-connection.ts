import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

export const removeConnection = route({
  method: 'delete',
  path: '/api/v1/connections/{id}',
  operationId: 'removeConnection',
  summary: 'Remove a connected account',
  description: 'The account itself and what Nango keeps of it stay.',
  access: 'dangerous',
  tag: 'connections',
  params: z.object({ id: ID }),
  response: { status: 204, description: 'The record is gone.' },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).connections.remove(principal, params.id),
});
