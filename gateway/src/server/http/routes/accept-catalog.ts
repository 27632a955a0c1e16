import { z } from 'zod';
import { route } from '../route.ts';

export const acceptCatalog = route({
  method: 'post',
  path: '/api/v1/catalog/accept',
  operationId: 'acceptCatalog',
  summary: 'Accept changed definitions into the lock',
  description:
    'One tool, or every tool when none is named. A person decides this, never a tool: in the session of the owner only. What was rejected is accepted by its name alone.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  body: z.strictObject({ tool: z.string().min(1).optional() }).default({}),
  response: {
    description: 'The lock holds the current definitions of these tools.',
    schema: z.object({ accepted: z.array(z.string()) }),
  },
  handle: async ({ body }, { gateway }) => ({ accepted: await gateway.accept(body.tool) }),
});
