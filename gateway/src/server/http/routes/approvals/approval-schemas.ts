import { z } from 'zod';
import { ACCESS } from '../schemas.ts';

export const APPROVAL_STATE = z.enum([
  'pending',
  'approved',
  'executing',
  'executed',
  'failed',
  'denied',
  'expired',
  'stale',
]);

export const APPROVAL_ID = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'An id has 32 hex digits.')
    .describe('Id of the approval.'),
});

const ENTRY = z.object({ key: z.string(), value: z.string() });

export const APPROVAL = z.looseObject({
  id: z.string(),
  state: APPROVAL_STATE,
  principal: z.string(),
  organisation: z.string().optional(),
  tool: z.string(),
  source: z.string(),
  operation: z.string(),
  access: ACCESS,
  preview: z.record(z.string(), z.unknown()).describe('The arguments, secrets redacted, long texts cut.'),
  reason: z.string(),
  createdAt: z.number().int().describe('Milliseconds since the epoch.'),
  expiresAt: z.number().int(),
  usedBy: z
    .string()
    .optional()
    .describe('Correlation id of the call that used it up; its story has what was carried out.'),
  card: z.object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    metadata: z.array(ENTRY),
    variant: z.enum(['default', 'destructive']),
    labels: z.object({ approve: z.string(), reject: z.string() }),
    receipt: z.object({ outcome: APPROVAL_STATE, summary: z.string(), at: z.string() }).optional(),
  }),
});

export const STANDING = z.looseObject({
  id: z.string(),
  principal: z.string(),
  organisation: z.string().optional(),
  tool: z.string(),
  source: z.string(),
  operation: z.string(),
  argumentsHash: z.string().optional().describe('Present: for calls with these arguments only.'),
  createdAt: z.number().int(),
  createdBy: z.string(),
});
