import { z } from 'zod';
import type { Access, Budget, CostProfile, JsonSchema, SafetyProfile } from '../../operations/index.ts';

/** `tool.schema.json`: everything about a tool but its code. */
export interface ToolContract {
  readonly $schema?: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly access: Exclude<Access, 'dangerous'>;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly tags?: readonly string[];
  readonly timeoutMs: number;
  readonly budget: Budget;
  readonly cost?: CostProfile;
  readonly safety?: Partial<SafetyProfile>;
  readonly idempotent?: boolean;
}

const amount = z.number().min(0);
const whole = z.int().min(0);
const flag = z.boolean().optional();
const schema = z.record(z.string(), z.json());

export const contractSchema: z.ZodType<ToolContract> = z.strictObject({
  $schema: z.string().optional(),
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
      'A name begins with a letter and has letters, digits, "_", "." or "-".',
    ),
  title: z.string().min(1).optional(),
  description: z.string().trim().min(1).describe('For a model: what it does and when to use it.'),
  access: z.enum(['read', 'write', 'delete']).describe('What it does to the world.'),
  input: schema
    .refine(({ type }) => type === 'object', 'The input is a schema with type object.')
    .describe('JSON Schema 2020-12 of the arguments.'),
  output: schema.describe('JSON Schema 2020-12 of the answer.'),
  tags: z.array(z.string().min(1)).optional(),
  timeoutMs: z.number().positive().max(3_600_000).describe('Milliseconds for one call.'),
  budget: z
    .strictObject({
      calls: whole.optional(),
      usd: amount.optional(),
      bytes: whole.optional(),
      per: z.enum(['principal', 'run']).optional(),
      windowMs: z.number().positive().optional(),
    })
    .refine(
      ({ calls, usd, bytes }) => calls !== undefined || usd !== undefined || bytes !== undefined,
      'Say how much: calls, usd or bytes.',
    )
    .describe('The most that one caller, or one run, may use within a window; default one day.'),
  cost: z
    .strictObject({ usd: amount.optional(), typicalMs: amount.optional() })
    .optional()
    .describe('Price of one call in US dollars, and milliseconds that it usually takes.'),
  safety: z
    .strictObject({ network: flag, file: flag, destructive: flag, idempotent: flag, openWorld: flag })
    .optional()
    .describe('What it touches; absent members follow from access.'),
  idempotent: flag.describe('Repeating a call has no further effect.'),
}) as unknown as z.ZodType<ToolContract>;
