import { z } from 'zod';

/** Shapes that several routes answer with. */
const JSON_SCHEMA = z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12');

export const ACCESS = z.enum(['read', 'write', 'delete', 'dangerous']);

/** The rest of a tool's contract. */
export const TERMS = {
  safety: z
    .looseObject({
      network: z.boolean(),
      file: z.boolean(),
      destructive: z.boolean(),
      idempotent: z.boolean(),
      openWorld: z.boolean(),
    })
    .optional(),
  cost: z
    .looseObject({ usd: z.number().optional(), typicalMs: z.number().optional() })
    .optional()
    .describe('US dollars and milliseconds of one call.'),
  budget: z.looseObject({}).optional().describe('What its author allows one caller or one run.'),
  limits: z.looseObject({ timeoutMs: z.number().optional() }).optional(),
};

export const TOOL = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: JSON_SCHEMA,
  outputSchema: JSON_SCHEMA.optional(),
  annotations: z.record(z.string(), z.unknown()),
});

export const DIAGNOSTIC = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  source: z.string().optional(),
  pointer: z.string().optional(),
  location: z.string().optional(),
  next: z.string().optional(),
});

export const SOURCE = z.object({
  name: z.string(),
  kind: z.string(),
  fingerprint: z.string(),
  operations: z.number().int(),
  stale: z.object({ since: z.string(), message: z.string() }).optional(),
});

export const EVENT = z.looseObject({
  sequence: z.number().int(),
  time: z.string(),
  type: z.string(),
});
