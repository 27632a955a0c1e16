import { z } from 'zod';

/** Characters; the body's own limit is usually reached first. */
const MAX_CONTENT = 1_000_000;

const MESSAGE = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string().max(MAX_CONTENT),
});

export const CHAT_BODY = z.strictObject({
  messages: z.array(MESSAGE).min(1).max(1000).describe('The conversation so far, oldest first.'),
  skill_id: z.string().min(1).max(64).optional().describe("The skill to work with; default: the role's."),
  model: z.string().min(1).max(200).optional().describe('In place of the configured one.'),
  stream: z.boolean().default(true).describe('Events as they come; else one answer at the end.'),
  max_rounds: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Answers of the model with tools; at most, and by default, as configured.'),
  session: z
    .string()
    .regex(/^[\w.:-]{1,128}$/)
    .optional()
    .describe('What the calls belong to; give it again to go on, after an approval too.'),
  wait: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe('How long a call waits for a person, milliseconds. Default: as the policy says.'),
});

export const CHAT_ANSWER = z.object({
  message: z.object({ role: z.literal('assistant'), content: z.string() }),
  session: z.string(),
  model: z.string(),
  skill: z.string().optional(),
  rounds: z.int(),
  finish_reason: z
    .enum(['stop', 'length', 'content_filter', 'rounds', 'other'])
    .describe('rounds: the last answer had to do without tools.'),
  usage: z.object({ input_tokens: z.int().optional(), output_tokens: z.int().optional() }),
  calls: z
    .array(
      z.object({
        name: z.string(),
        dynamic: z.boolean().describe('A skill brought the tool.'),
        status: z.enum(['ok', 'failed']),
        latency_ms: z.int(),
        error_code: z.string().optional(),
        degraded: z.boolean().optional(),
      }),
    )
    .describe('What was called, in order.'),
  approvals: z
    .array(z.looseObject({ id: z.string(), tool: z.string() }))
    .describe('What a person was asked.'),
});
