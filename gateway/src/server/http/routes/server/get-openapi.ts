import { route } from '../../route.ts';

export const getOpenapi = route({
  method: 'get',
  path: '/api/v1/openapi.json',
  operationId: 'getOpenapi',
  summary: 'Get the OpenAPI description of this API',
  access: 'read',
  tag: 'server',
  response: { description: 'OpenAPI 3.1 document.' },
  handle: (_input, { describe }) => describe(),
});
