import { route } from '../../route.ts';
import { ACCESS_MATRIX, accessOf, MATRIX_QUERY } from './access-schemas.ts';
import { shareCells } from './share-cells.ts';

export const getAccessMatrix = route({
  method: 'get',
  path: '/api/v1/access/matrix',
  operationId: 'getAccessMatrix',
  summary: 'Show who may do what: people by sources',
  description:
    'For each person and source the effective level with what led to it. An admin sees the own organisation, a user the own row. What a key narrows, and roles that a sign-in token brings, count in calls only.',
  access: 'read',
  tag: 'access',
  query: MATRIX_QUERY,
  response: { description: 'A page of people, as of now.', schema: ACCESS_MATRIX },
  handle: async ({ query: { cells, ...query } }, { gateway, principal }) => {
    const matrix = await accessOf(gateway).matrix(principal, query);
    return cells === 'shared' ? shareCells(matrix) : matrix;
  },
});
