import { z } from 'zod';
import { route } from '../../route.ts';
import { DIAGNOSTIC, SOURCE } from '../schemas.ts';

export const getCatalogReport = route({
  method: 'get',
  path: '/api/v1/catalog/report',
  operationId: 'getCatalogReport',
  summary: 'Get what the compiler found: diagnostics and skipped operations',
  access: 'read',
  tag: 'catalog',
  audience: 'operator',
  response: {
    description: 'The report of the catalog that is served now.',
    schema: z.object({
      catalog: z.string(),
      sources: z.array(SOURCE),
      skipped: z.array(
        z.looseObject({
          method: z.string(),
          path: z.string(),
          reason: z.string(),
          source: z.string().optional(),
        }),
      ),
      diagnostics: z.array(DIAGNOSTIC),
    }),
  },
  handle: (_input, { gateway, principal }) => {
    const { hash, sources, skipped } = gateway.view(principal).catalog;
    return {
      catalog: hash,
      sources: sources.map(({ provider: _provider, ...source }) => source),
      skipped,
      diagnostics: gateway.diagnostics(),
    };
  },
});
