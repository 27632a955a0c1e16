import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { route } from '../../route.ts';

export const rejectCatalog = route({
  method: 'post',
  path: '/api/v1/catalog/reject',
  operationId: 'rejectCatalog',
  summary: 'Refuse what a tool has become',
  description:
    'The lock remembers it: the tool is withheld in every mode until its definition is another one or it is accepted. In the session of the owner only.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  body: z.strictObject({
    tool: z.string().min(1),
    reason: z.string().trim().min(1).max(500).optional(),
  }),
  response: { description: 'The tool is withheld.', schema: z.object({ rejected: z.string() }) },
  handle: async ({ body: { tool, reason } }, { gateway }) => {
    if (gateway.reject === undefined)
      throw new ToolcribError('not_found', 'This gateway holds its tools against no lock.');
    await gateway.reject(tool, reason);
    return { rejected: tool };
  },
});
