import { route } from '../../route.ts';
import { accessOf, OPERATIONS_PAGE, OPERATIONS_QUERY } from './access-schemas.ts';

export const listAccessOperations = route({
  method: 'get',
  path: '/api/v1/access/operations',
  operationId: 'listAccessOperations',
  summary: "List operations with every factor of one person's access",
  description:
    'What the matrix comes to, operation by operation. Hidden ones too: to a user those that the own level or an own account would open, to an admin those that levels, roles and features would, to the operator all. Dangerous ones are named to the operator only: nobody calls them.',
  access: 'read',
  tag: 'access',
  query: OPERATIONS_QUERY,
  response: { description: 'A page of operations in order of their names.', schema: OPERATIONS_PAGE },
  handle: ({ query }, { gateway, principal }) => accessOf(gateway).operations(principal, query),
});
