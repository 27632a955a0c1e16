import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, SCOPE } from '../record-schemas.ts';

export const removeAccess = route({
  method: 'delete',
  path: '/api/v1/access',
  operationId: 'removeAccess',
  summary: 'Remove a level that was set',
  description: 'A narrower scope falls back to the wider one; without any there is no access.',
  access: 'dangerous',
  tag: 'access',
  query: IN_ORGANISATION.extend({ user: ID.optional(), scope: SCOPE }),
  response: { status: 204, description: 'It is gone.' },
  handle: async ({ query }, { gateway, principal }) =>
    directoryOf(gateway).levels.remove(principal, query as never),
});
