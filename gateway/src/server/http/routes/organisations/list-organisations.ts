import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ORGANISATION } from '../record-schemas.ts';

export const listOrganisations = route({
  method: 'get',
  path: '/api/v1/orgs',
  operationId: 'listOrganisations',
  summary: 'List the organisations',
  description: 'All for the operator, the own one for everybody else.',
  access: 'read',
  tag: 'organisations',
  response: { description: 'By id.', schema: z.object({ organisations: z.array(ORGANISATION) }) },
  handle: async (_input, { gateway, principal }) => ({
    organisations: await directoryOf(gateway).organisations.list(principal),
  }),
});
