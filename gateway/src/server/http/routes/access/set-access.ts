import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, LEVEL, SCOPE, SET_LEVEL } from '../record-schemas.ts';

export const setAccess = route({
  method: 'put',
  path: '/api/v1/access',
  operationId: 'setAccess',
  summary: 'Set a level: what an admin allows, or what a user may at most',
  description: 'Without `user`: what the organisation allows. In force at the next call everywhere.',
  access: 'dangerous',
  tag: 'access',
  body: IN_ORGANISATION.extend({ user: ID.nullable().optional(), scope: SCOPE, level: LEVEL }),
  response: { description: 'The level as it is now.', schema: SET_LEVEL },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).levels.set(principal, body as never),
});
