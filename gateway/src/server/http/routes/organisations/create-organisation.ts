import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, ORGANISATION, ORGANISATION_CHANGES } from '../record-schemas.ts';

export const createOrganisation = route({
  method: 'post',
  path: '/api/v1/orgs',
  operationId: 'createOrganisation',
  summary: 'Create an organisation',
  description: 'For the operator. The organisation gets the default levels and the role admin.',
  access: 'dangerous',
  tag: 'organisations',
  body: ORGANISATION_CHANGES.extend({ id: ID.optional(), name: z.string() }),
  response: { status: 201, description: 'The organisation.', schema: ORGANISATION },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).organisations.create(principal, body as never),
});
