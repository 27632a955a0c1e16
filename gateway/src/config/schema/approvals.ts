import { z } from 'zod';
import { boundedDuration, closed, text } from './values.ts';

const action = z.enum(['ask', 'allow']);

/** One entry of `policy.approvals.rules`. */
const rule = closed({
  access: z.enum(['read', 'write', 'delete']).optional(),
  source: text.optional(),
  operation: text.optional().describe('Operation id.'),
  tag: text.optional(),
  role: text.optional().describe('A role of whoever calls.'),
  hint: text.optional().describe('A vendor hint that is set, e.g. x-llm-hints.requires_confirmation.'),
  tool: text.optional(),
  action,
}).refine(
  ({ action: _action, ...parts }) => Object.values(parts).some((part) => part !== undefined),
  'Name at least one of access, source, operation, tag, role, hint, tool.',
);

/** `policy.approvals`. */
export const approvalsShape = closed({
  write: action.optional().describe('What writes, where no rule says more. Default: allow.'),
  delete: action
    .optional()
    .describe('What deletes without destroying data, where no rule says more. Default: ask.'),
  rules: z
    .array(rule)
    .max(1000)
    .optional()
    .describe(
      'The strictest that matches wins: ask before allow. What destroys data asks whatever they say.',
    ),
  expires: boundedDuration.optional().describe('How long a question stays open. Default: 10m, at most 24h.'),
  wait: boundedDuration
    .optional()
    .describe('How long a call waits where its client cannot ask a person. Default: 0, at most 10m.'),
  elicitation: z
    .enum(['form', 'url', 'off'])
    .optional()
    .describe('How clients that can ask a person do so. Default: form; off where approvers are named.'),
  approvers: z
    .array(text)
    .optional()
    .describe('Roles that decide for others of their organisation. Default: admin.'),
  url: z
    .string()
    .regex(/^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/, 'Must be an absolute http or https URL.')
    .refine(URL.canParse, 'Must be an absolute http or https URL.')
    .optional()
    .describe("Where people reach this gateway; links begin with it. Default: the server's own address."),
});
