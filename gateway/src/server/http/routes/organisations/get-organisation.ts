import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, ORGANISATION } from '../record-schemas.ts';

export const getOrganisation = route({
  method: 'get',
  path: '/api/v1/orgs/{id}',
  operationId: 'getOrganisation',
  summary: 'Get an organisation',
  access: 'read',
  tag: 'organisations',
  params: z.object({ id: ID }),
  response: { description: 'The organisation.', schema: ORGANISATION },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).organisations.get(principal, params.id),
});
