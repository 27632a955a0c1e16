import { z } from 'zod';
import { route } from '../../route.ts';

export const getCatalog = route({
  method: 'get',
  path: '/api/v1/catalog',
  operationId: 'getCatalog',
  summary: 'Get the hash and the sizes of the catalog',
  access: 'read',
  tag: 'catalog',
  audience: 'operator',
  response: {
    description: 'The catalog that is served now.',
    schema: z.object({
      hash: z.string(),
      operations: z.number().int(),
      tools: z.number().int().describe('Tools that the caller sees.'),
      quarantined: z.number().int(),
      skipped: z.number().int(),
      resources: z.number().int(),
      resourceTemplates: z.number().int(),
      prompts: z.number().int(),
      topologies: z
        .array(
          z.object({
            asked: z.string(),
            took: z.string(),
            sources: z.array(z.string()),
            considered: z.array(
              z.looseObject({
                name: z.string(),
                tools: z.number().int(),
                tokens: z.number().int().describe('o200k; counting ends beyond the budget.'),
                fits: z.boolean(),
                atMost: z.literal(true).optional().describe('`tokens` is the most that they can have.'),
                about: z.literal(true).optional().describe('`tokens` is an estimate.'),
              }),
            ),
            warning: z.string().optional(),
          }),
        )
        .describe('How the operations became tools, for each group of sources that are published together.'),
      diagnostics: z.object({ error: z.number().int(), warning: z.number().int(), info: z.number().int() }),
    }),
  },
  handle: (_input, { gateway, principal }) => {
    const view = gateway.view(principal);
    const { catalog, tools, resources, resourceTemplates, prompts, topologies = [] } = view;
    const diagnostics = { error: 0, warning: 0, info: 0 };
    for (const { severity } of gateway.diagnostics()) diagnostics[severity]++;
    return {
      hash: catalog.hash,
      operations: catalog.entries.length,
      tools: tools.length,
      quarantined: catalog.entries.filter((entry) => entry.quarantined).length,
      skipped: catalog.skipped.length,
      resources: resources.length,
      resourceTemplates: resourceTemplates.length,
      prompts: prompts.length,
      topologies: [...topologies],
      diagnostics,
    };
  },
});
