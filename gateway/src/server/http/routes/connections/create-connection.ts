import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECTION, CONNECTION_CHANGES, ID } from '../record-schemas.ts';

export const createConnection = route({
  method: 'post',
  path: '/api/v1/connections',
  operationId: 'createConnection',
  summary: 'Record a connected account',
  description: "With `user` it is that user's own, else the organisation's. Credentials by reference only.",
  access: 'dangerous',
  tag: 'connections',
  body: CONNECTION_CHANGES.extend({
    organisation: ID.optional(),
    user: ID.nullable().optional(),
    source: ID,
  }),
  response: { status: 201, description: 'The connection.', schema: CONNECTION },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).connections.create(principal, body as never),
});
