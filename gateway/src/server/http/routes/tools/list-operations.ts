import { z } from 'zod';
import type { ListedOperation } from '../../admin/tool-inspection.ts';
import { route } from '../../route.ts';
import { ACCESS } from '../schemas.ts';
import { inspectionOf } from './require-inspection.ts';

const COUNT = z.number().int();

export const listOperations = route({
  method: 'get',
  path: '/api/v1/operations',
  operationId: 'listOperations',
  summary: 'List operations and how the caller reaches them',
  description:
    'Every operation of the catalog for the operator, also hidden ones with the first check that hides them. A user sees what is offered, and of the rest only what the own choice or an own account would open; an admin also what levels, roles and features of the organisation would.',
  access: 'read',
  tag: 'tools',
  query: z.strictObject({
    source: z.string().max(128).optional(),
    access: ACCESS.optional(),
    state: z
      .enum(['listed', 'reachable', 'gated', 'hidden'])
      .optional()
      .describe(
        'A tool of its own, reached by another tool, calls that a person must agree to, or not offered.',
      ),
    q: z.string().max(200).optional().describe('Words that stand in name, id, path, title or tags.'),
    cursor: z.string().max(128).optional().describe('What the last page gave as `next`.'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: {
    description: 'Operations sorted by tool name.',
    schema: z.object({
      catalog: z.string().describe('Hash of the catalog that they stand in.'),
      operations: z.array(
        z.object({
          tool: z.string(),
          operation: z.string(),
          source: z.string(),
          access: ACCESS,
          state: z.enum(['listed', 'reachable', 'hidden']),
          title: z.string().optional(),
          description: z.string().describe('What it is for, in one sentence.'),
          tags: z.array(z.string()),
          method: z.string().optional(),
          path: z.string().optional(),
          deprecated: z.boolean().optional(),
          destructive: z.boolean(),
          through: z.string().optional().describe('A tool that leads to it.'),
          gate: z.string().optional().describe('Why a person must agree to its calls.'),
          hidden: z
            .object({ check: z.string(), value: z.string(), needed: z.string(), change: z.string() })
            .optional()
            .describe('The first check that does not pass.'),
        }),
      ),
      counts: z
        .object({ all: COUNT, listed: COUNT, reachable: COUNT, hidden: COUNT, gated: COUNT })
        .describe('Of what source, access and words leave.'),
      sources: z.array(z.string()).describe('Sources with operations here, whatever the filters.'),
      next: z.string().optional().describe('Absent on the last page.'),
    }),
  },
  handle: async ({ query: { source, access, state, q, cursor, limit } }, { gateway, principal }) => {
    await gateway.freshen?.();
    const list = { source, access, state, text: q, after: cursor, limit };
    const page = await inspectionOf(gateway).operations(list, principal);
    return {
      catalog: gateway.view(principal).catalog.hash,
      ...page,
      operations: page.operations.map(shown),
    };
  },
});

function shown({ tool, facts, purpose, ...state }: ListedOperation): object {
  const { id, source, access, title, tags, http, deprecated, safety } = facts;
  return {
    tool,
    operation: id,
    source,
    access,
    ...(title === undefined ? {} : { title }),
    description: purpose,
    tags,
    ...http,
    ...(deprecated === undefined ? {} : { deprecated }),
    destructive: safety.destructive,
    ...state,
  };
}
