import { z } from 'zod';
import { closed, days, size, text } from './values.ts';

/** What a name of our own making or the operator's may hold. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._:=-]{0,127}$/;

const window = days('Write a duration such as 1d, 1h or 30m, or a number of milliseconds.');
const usd = z.number().min(0).max(1_000_000);

/** One entry of `policy.budgets`. */
export const budgetShape = closed({
  name: z
    .string()
    .regex(NAME, 'A budget has a name of letters, digits, spaces and "._:=-".')
    .optional()
    .describe('Counters are kept by it. Default: what it covers, in words.'),
  tool: text.optional(),
  source: text.optional(),
  operation: text.optional().describe('Operation id.'),
  tag: text.optional(),
  access: z.enum(['read', 'write', 'delete']).optional(),
  per: z.enum(['principal', 'run', 'organisation']).optional().describe('Default: principal.'),
  window: window.optional().describe('Fixed windows of this length, in UTC. Default: 1d.'),
  calls: z.int().min(0).optional(),
  usd: usd.optional().describe("US dollars, by the operations' costs."),
  bytes: size.optional().describe('Of the answers given to callers.'),
}).refine(
  (budget) => budget.calls !== undefined || budget.usd !== undefined || budget.bytes !== undefined,
  'Say how much: calls, usd or bytes.',
);

/** One entry of a source's `costs`. */
export const costShape = closed({
  operation: text.optional().describe('Operation id.'),
  tag: text.optional(),
  path: text.optional(),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/, 'Must be an HTTP method.')
    .optional(),
  usd: usd.optional().describe('Price of one call in US dollars.'),
  typicalMs: z.number().min(0).optional().describe('Milliseconds that a call usually takes.'),
}).refine((cost) => cost.usd !== undefined || cost.typicalMs !== undefined, 'Say usd or typicalMs.');
