import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, KEY } from '../record-schemas.ts';

export const getKey = route({
  method: 'get',
  path: '/api/v1/keys/{id}',
  operationId: 'getKey',
  summary: 'Get the record of an API key',
  access: 'read',
  tag: 'keys',
  params: z.object({ id: ID }),
  response: { description: 'The record.', schema: KEY },
  handle: async ({ params }, { gateway, principal }) => directoryOf(gateway).keys.get(principal, params.id),
});
