import { z } from 'zod';
import { ToolcribError } from '../../../errors.ts';
import { route } from '../route.ts';
import { ACCESS, TERMS, TOOL } from './schemas.ts';

export const getTool = route({
  method: 'get',
  path: '/api/v1/tools/{name}',
  operationId: 'getTool',
  summary: 'Get one tool and the operation behind it',
  access: 'read',
  tag: 'tools',
  params: z.object({ name: z.string().min(1).describe('Name of the tool.') }),
  response: {
    description: 'The tool as clients see it, and what it reaches.',
    schema: z.object({
      tool: TOOL,
      operation: z
        .looseObject({
          id: z.string(),
          source: z.string(),
          access: ACCESS,
          tags: z.array(z.string()),
          ...TERMS,
        })
        .optional(),
      hash: z.string().optional().describe('What the lock holds.'),
    }),
  },
  handle: ({ params: { name } }, { gateway, principal }) => {
    const { tools, catalog } = gateway.view(principal);
    const entry = catalog.byTool(name);
    const published = tools.find(({ tool }) => tool.name === (entry?.tool.name ?? name));
    if (published === undefined) {
      throw new ToolcribError(
        'tool_unknown',
        `There is no tool named ${name.slice(0, 128)} for this caller.`,
      );
    }
    if (entry === undefined || entry.operation !== published.operation) return { tool: published.tool };
    const { budget, limits } = entry.load();
    const terms = {
      ...(budget === undefined ? {} : { budget }),
      ...(limits === undefined ? {} : { limits }),
    };
    return { tool: published.tool, operation: { ...entry.facts, ...terms }, hash: entry.hash };
  },
});
