import { z } from 'zod';
import { route } from '../route.ts';
import { SOURCE } from './schemas.ts';

export const listSources = route({
  method: 'get',
  path: '/api/v1/sources',
  operationId: 'listSources',
  summary: 'List the sources and how their last read went',
  access: 'read',
  tag: 'catalog',
  response: {
    description: 'Sources in the order of the configuration.',
    schema: z.object({ sources: z.array(SOURCE) }),
  },
  handle: (_input, { gateway, principal }) => ({ sources: gateway.view(principal).catalog.sources }),
});
