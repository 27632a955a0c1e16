import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECTION, CONNECTION_CHANGES, ID } from '../record-schemas.ts';

export const updateConnection = route({
  method: 'patch',
  path: '/api/v1/connections/{id}',
  operationId: 'updateConnection',
  summary: 'Change or disable a connected account',
  access: 'dangerous',
  tag: 'connections',
  params: z.object({ id: ID }),
  body: CONNECTION_CHANGES,
  response: { description: 'The connection as it is now.', schema: CONNECTION },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).connections.update(principal, params.id, body as never),
});
