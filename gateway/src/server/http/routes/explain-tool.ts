import { z } from 'zod';
import { ToolcribError } from '../../../errors.ts';
import { directoryOf } from '../require-directory.ts';
import { route } from '../route.ts';
import { ACCESS } from './schemas.ts';

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
    schema: z.object({
      tool: z.string(),
      principal: z.string(),
      visible: z.boolean().describe('It is listed.'),
      callable: z.boolean().describe('A call would be let through.'),
      operation: z.object({ id: z.string(), source: z.string(), access: ACCESS, target: z.string() }),
      checks: z.array(
        z.object({
          check: z.string(),
          value: z.string(),
          needed: z.string(),
          passes: z.boolean(),
          change: z.string().describe('Who or what would change it.'),
        }),
      ),
    }),
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
