import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

export const removeOrganisation = route({
  method: 'delete',
  path: '/api/v1/orgs/{id}',
  operationId: 'removeOrganisation',
  summary: 'Remove an organisation',
  description:
    'For the operator. Takes its users, keys, levels and connections along. Events, usage and approvals stay for the operator alone: whoever gets the id later sees none of them.',
  access: 'dangerous',
  tag: 'organisations',
  params: z.object({ id: ID }),
  response: { status: 204, description: 'It is gone.' },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).organisations.remove(principal, params.id),
});
