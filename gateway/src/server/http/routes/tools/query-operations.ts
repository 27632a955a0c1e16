import { z } from 'zod';
import type { OperationQuery } from '../../../../operations/index.ts';
import { route } from '../../route.ts';
import { ACCESS } from '../schemas.ts';
import { inspectionOf } from './require-inspection.ts';

export const queryOperations = route({
  method: 'get',
  path: '/api/v1/search',
  operationId: 'queryOperations',
  summary: 'Search operations as a model does',
  description:
    'The same index, ranking and filters as the search tools. Only what the caller may call is looked at.',
  access: 'read',
  tag: 'tools',
  query: z.strictObject({
    q: z.string().max(500).default('').describe('Plain words; empty: everything that passes the filters.'),
    intent: z
      .enum(['read', 'write', 'create', 'update', 'delete', 'manage', 'all'])
      .optional()
      .describe('What somebody wants to do, judged by access.'),
    source: z.string().max(128).optional().describe('Operations of one source.'),
    limit: z.coerce.number().int().min(1).max(100).default(20).describe('Most hits.'),
  }),
  response: {
    description: 'Hits, the best first.',
    schema: z.object({
      hits: z.array(
        z.object({
          tool: z.string().describe('Name of its own tool.'),
          listed: z.boolean().describe("That tool is in the caller's list; else another tool reaches it."),
          operation: z.string(),
          source: z.string(),
          access: ACCESS,
          description: z.string().describe('What it is for, in one sentence.'),
          method: z.string().optional(),
          path: z.string().optional(),
          score: z.number().describe('Compares hits of one search, nothing else.'),
        }),
      ),
    }),
  },
  handle: async ({ query: { q, intent, source, limit } }, { gateway, principal }) => {
    await gateway.freshen?.();
    const query: OperationQuery = {
      text: q,
      limit,
      ...(intent === undefined ? {} : { intent }),
      ...(source === undefined ? {} : { source }),
    };
    const hits = await inspectionOf(gateway).search(query, principal);
    return {
      hits: hits.map(({ operation: { name, facts }, listed, purpose, score }) => ({
        tool: name,
        listed,
        operation: facts.id,
        source: facts.source,
        access: facts.access,
        description: purpose,
        ...facts.http,
        score,
      })),
    };
  },
});
