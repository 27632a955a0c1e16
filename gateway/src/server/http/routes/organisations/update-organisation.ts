import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, ORGANISATION, ORGANISATION_CHANGES } from '../record-schemas.ts';

export const updateOrganisation = route({
  method: 'patch',
  path: '/api/v1/orgs/{id}',
  operationId: 'updateOrganisation',
  summary: 'Change an organisation',
  access: 'dangerous',
  tag: 'organisations',
  params: z.object({ id: ID }),
  body: ORGANISATION_CHANGES,
  response: { description: 'The organisation as it is now.', schema: ORGANISATION },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).organisations.update(principal, params.id, body as never),
});
