import { z } from 'zod';
import { route } from '../route.ts';

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
      diagnostics: z.object({ error: z.number().int(), warning: z.number().int(), info: z.number().int() }),
    }),
  },
  handle: (_input, { gateway, principal }) => {
    const { catalog, tools, resources, resourceTemplates, prompts } = gateway.view(principal);
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
      diagnostics,
    };
  },
});
