import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ACTING_USER, ID } from '../record-schemas.ts';

export const setActingUser = route({
  method: 'put',
  path: '/api/v1/connections/{id}/users/{user}',
  operationId: 'setActingUser',
  summary: 'Map a user to the own id at the provider',
  description: 'It is sent as On-Behalf-Of and its like: the provider sees this user act.',
  access: 'dangerous',
  tag: 'connections',
  params: z.object({ id: ID, user: ID }),
  body: z.strictObject({ providerUser: z.string() }),
  response: { description: 'The mapping.', schema: ACTING_USER },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).actingUsers.set(principal, { connection: params.id, user: params.user, ...body }),
});
