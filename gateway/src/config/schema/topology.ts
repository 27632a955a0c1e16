import { z } from 'zod';
import { selectorShape } from './selector.ts';
import { closed, text } from './values.ts';

const names = z.array(text).max(1000);
const categoryName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,47}$/, 'A category is a letter, then letters, digits, "_" or "-".');
const selector = closed(selectorShape);

/** `topology`, written as an object; `topologyName` is what the program has registered. */
export function topologyShape(topologyName: z.ZodType<string>) {
  const rule = closed({
    client: text.optional().describe('Name of the MCP client; * stands for any text.'),
    role: text.optional(),
    user: text.optional().describe('Principal id.'),
    organisation: text.optional(),
    name: topologyName,
  }).refine(
    ({ client, role, user, organisation }) =>
      [client, role, user, organisation].some((part) => part !== undefined),
    'Name at least one of client, role, user, organisation.',
  );
  return z.union([
    topologyName,
    closed({
      name: topologyName.optional(),
      for: z.array(rule).max(1000).optional().describe('The first rule that fits the caller decides.'),
      maxCategoryTools: z.int().min(0).max(100).optional().describe('Default: 10.'),
      minEndpointsPerCategory: z.int().min(1).max(10_000).optional().describe('Default: 1.'),
      maxToolsPerApi: z.int().min(1).max(1000).optional().describe('Default: 30.'),
      hintTokens: z.int().min(0).max(10_000).optional().describe('Of one description. Default: 300.'),
      pinned: names
        .optional()
        .describe('Operations (id or tool name) that stay direct tools; categories that come first.'),
      ranking: names.optional().describe('Categories in the order of their rank; others by size.'),
      categories: z
        .record(
          categoryName,
          closed({
            tags: names.optional(),
            select: z.array(selector).max(1000).optional(),
            description: text.optional(),
          }).refine(({ tags, select }) => tags !== undefined || select !== undefined, 'Name tags or select.'),
        )
        .optional()
        .describe('Groups of operations; what falls in none goes by tag, else by path.'),
    }),
  ]);
}

/** `shaping`, for all sources or one. */
export const shapingShape = z.union([
  z.boolean().describe('On or off; default: on in every topology but flat, capped and discover.'),
  closed({
    enabled: z.boolean().optional(),
    limits: z
      .record(text, z.int().min(1).max(1000))
      .optional()
      .describe('Rows by tag or word of the path, e.g. logs: 100; * for the others.'),
    essential: z
      .record(text, names)
      .optional()
      .describe('Fields kept of many rows, by tag or word of the path.'),
    maxPages: z.int().min(1).max(20).optional().describe('Pages that one call may read. Default: 5.'),
  }),
]);
