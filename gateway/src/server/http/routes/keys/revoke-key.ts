import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, KEY } from '../record-schemas.ts';

export const revokeKey = route({
  method: 'delete',
  path: '/api/v1/keys/{id}',
  operationId: 'revokeKey',
  summary: 'Revoke an API key',
  description: 'In force at the next call everywhere. The record stays.',
  access: 'dangerous',
  tag: 'keys',
  params: z.object({ id: ID }),
  response: { description: 'The record of the revoked key.', schema: KEY },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).keys.revoke(principal, params.id),
});
