import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { AccessAdministration } from '../../admin/access-administration.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { ID, IN_ORGANISATION, LEVEL, SCOPE } from '../record-schemas.ts';
import { ACCESS } from '../schemas.ts';

/** Throws `not_found` where a gateway cannot say who may do what. */
export function accessOf({ access }: GatewayAdmin): AccessAdministration {
  if (access !== undefined) return access;
  throw new ToolcribError('not_found', 'Access is not looked at here.');
}

const PAGES = {
  cursor: z.string().max(2000).optional().describe('`nextCursor` of the page before.'),
};

export const MATRIX_QUERY = IN_ORGANISATION.extend({
  user: ID.optional(),
  source: ID.optional().describe('This column only.'),
  q: z.string().max(200).optional().describe('Part of a name, an id or a role.'),
  cells: z
    .enum(['each', 'shared'])
    .default('each')
    .describe('`shared`: what cells say once, in `shared`; each row says by `at` which of it stands where.'),
  ...PAGES,
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('People a page.'),
});

export const OPERATIONS_QUERY = IN_ORGANISATION.extend({
  user: ID.optional().describe('Default: the caller.'),
  source: ID.optional(),
  q: z.string().max(200).optional().describe("Part of a tool's name or an operation's id."),
  show: z.enum(['all', 'visible', 'hidden']).default('all'),
  ...PAGES,
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const CHANGE = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('level'),
    user: ID.nullable().optional().describe('Null: what the organisation allows.'),
    scope: SCOPE,
    level: LEVEL.nullable().describe('Null takes the level away, and access with it.'),
  }),
  z.strictObject({
    kind: z.literal('user'),
    user: ID,
    roles: z.array(z.string()).optional(),
    status: z.enum(['active', 'disabled']).optional(),
  }),
  z.strictObject({
    kind: z.literal('feature'),
    feature: z.string().describe("One of the organisation's own."),
    enabled: z.boolean(),
  }),
]);

export const ACCESS_CHANGES = IN_ORGANISATION.extend({
  version: z
    .string()
    .max(100)
    .optional()
    .describe('What the changes were made from, as the matrix says; another one is there: record_conflict.'),
  changes: z.array(CHANGE).max(500).describe('In this order; the later one of the same thing counts.'),
});

const CELL = z.object({
  source: z.string(),
  level: LEVEL.describe('The effective level.'),
  admin: LEVEL.nullable(),
  user: LEVEL.nullable(),
  connection: z.enum(['connected', 'unauthenticated', 'disabled', 'missing']),
  reasons: z.object({
    admin: z.string().optional(),
    user: z.string().optional(),
    connection: z.string().optional(),
    roles: z.string().optional(),
  }),
  serviceRoles: z.array(z.string()).optional().describe('Roles that the service itself gives.'),
  visible: z.number().int().describe('Operations that are listed.'),
});

export const ACCESS_MATRIX = z.object({
  mode: z.enum(['team', 'configuration']),
  organisation: z.string().nullable(),
  version: z.string().optional(),
  manages: z.boolean(),
  features: z.array(z.string()),
  roles: z.array(z.string()),
  sources: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      category: z.string(),
      connections: z.enum(['shared', 'records']),
      allowed: LEVEL.nullable().describe("What the organisation's admin allows."),
      allowedBy: z.string().optional(),
      operations: z.number().int(),
    }),
  ),
  rows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.enum(['active', 'disabled']),
      roles: z.array(z.string()),
      held: z.array(z.string()),
      permissions: z.array(z.string()),
      features: z.array(z.string()),
      cells: z.array(CELL).describe('With cells=shared: none.'),
      at: z
        .array(z.number().int())
        .optional()
        .describe('With cells=shared: in the order of the sources, the place of its cell in `shared`.'),
    }),
  ),
  shared: z
    .array(CELL.omit({ source: true }))
    .optional()
    .describe('With cells=shared: every different cell.'),
  total: z.number().int(),
  nextCursor: z.string().optional(),
});

/** Whether a person is asked before calls. */
export const AGREEMENT = z.object({
  kind: z.enum(['asks', 'refuses']),
  reason: z.string(),
  standing: z.string().optional(),
});

/** As `GET /tools/{name}/explain` answers. */
export const EXPLANATION = z.object({
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
  approval: AGREEMENT.optional().describe(
    'Why a person must agree to its calls; absent: none is asked, it depends on the call, or it is not listed.',
  ),
});

export const OPERATIONS_PAGE = z.object({
  principal: z.string(),
  operations: z.array(EXPLANATION),
  total: z.number().int(),
  nextCursor: z.string().optional(),
  never: z
    .array(z.object({ id: z.string(), source: z.string(), target: z.string() }))
    .optional()
    .describe('For the operator, on the first page: dangerous ones, which nobody calls.'),
});

const TOOLS = z.object({
  count: z.number().int(),
  tools: z.array(z.string()).describe('The first of them.'),
});

export const ACCESS_PREVIEW = z.object({
  organisation: z.string(),
  version: z.string(),
  people: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      gained: z.number().int(),
      lost: z.number().int(),
      sources: z.array(
        z.object({ source: z.string(), before: LEVEL, after: LEVEL, gained: TOOLS, lost: TOOLS }),
      ),
    }),
  ),
  unchanged: z.number().int().describe('People for whom nothing would differ.'),
});
