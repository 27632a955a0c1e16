import { z } from 'zod';

export const SKILL_ID = z.object({ id: z.string().min(1).max(128) });

const INVALID = z.array(
  z.object({
    place: z.string().describe('File and line within the skill.'),
    name: z.string().optional(),
    error: z.string(),
  }),
);
const SHADOWED = z
  .array(z.string())
  .describe('Tools that another source has a tool of the same name before.');

export const SKILL = z.object({
  id: z.string(),
  source: z.string(),
  description: z.string(),
  version: z.string(),
  tools: z.array(z.string()),
  invalid: INVALID,
  shadowed: SHADOWED,
  stale: z.string().optional().describe('Why its folder cannot be used now; the last good version serves.'),
  overridden: z.number().int().describe('Skills of its name that it stands before.'),
});

export const SKILL_DETAIL = SKILL.extend({
  license: z.string().optional(),
  compatibility: z.string().optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() })),
  findings: z.array(z.string()),
  folder: z.string().optional(),
});

export const IMPORTED_SKILL = z.object({
  id: z.string(),
  version: z.string(),
  previous: z.string().optional(),
  overridden_by: z.string().optional().describe('Folder of a skill of this name that counts instead.'),
  refused: z
    .object({ code: z.string(), message: z.string(), location: z.string().optional() })
    .optional()
    .describe('Why it was not imported, though others of the package were.'),
  compiled_ok: z.number().int(),
  invalid_tools: z.number().int(),
  shadowed_tools: z.number().int(),
  invalid: INVALID,
  shadowed: SHADOWED,
});

export const SKILL_IMPORT = z.object({
  skills: z.array(IMPORTED_SKILL),
  compiled_ok: z.number().int(),
  invalid_tools: z.number().int(),
  shadowed_tools: z.number().int(),
  findings: z
    .array(z.string())
    .optional()
    .describe('What was left out of the package, or is not as safe as it could be.'),
});

export const SKILL_VERSION = z.object({
  version: z.string(),
  seenAt: z.number().describe('Milliseconds since the epoch.'),
  tools: z.number().int(),
  current: z.boolean(),
});
