import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { EXPLANATION } from '../access/access-schemas.ts';

export const explainTool = route({
  method: 'get',
  path: '/api/v1/tools/{name}/explain',
  operationId: 'explainTool',
  summary: 'Explain why a tool is offered or not',
  description:
    'Every factor that decides, as of now: its value, what it takes, whether it passes, and what would change it. An admin may ask for another user of the organisation.',
  access: 'read',
  tag: 'tools',
  params: z.object({ name: z.string().min(1).describe('Name of the tool.') }),
  query: z.strictObject({
    as: z.string().min(1).optional().describe('Id of a user; default: the caller.'),
  }),
  response: {
    description: 'The factors.',
    schema: EXPLANATION,
  },
  handle: async ({ params, query }, { gateway, principal }) => {
    if (gateway.explain === undefined) throw new ToolcribError('not_found', 'Nothing is explained here.');
    const subject =
      query.as === undefined || query.as === principal.id
        ? principal
        : await directoryOf(gateway).users.principal(principal, query.as);
    return gateway.explain(params.name, subject);
  },
});
