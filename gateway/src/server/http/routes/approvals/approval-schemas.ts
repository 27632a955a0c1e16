import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { Approvals } from '../../../../gateway-core.ts';
import type { Principal } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import type { RequestOwner } from '../../reception.ts';
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

/** Throws `not_found` where a gateway has none. */
export async function approvalsOf({ approvals }: GatewayAdmin): Promise<Approvals> {
  if (approvals !== undefined) return approvals();
  throw new ToolcribError('not_found', 'This gateway keeps no approvals.');
}

const BY_TOKEN = {
  next: 'Send the approver token (`toolcrib approvals token`), or decide in the console as the owner.',
};
const BY_OWNER = 'Sign in as the owner: run `toolcrib console` on the machine of the gateway.';
const BY_KEY = 'Add a key of yours that was made for deciding: "Let me decide" in the settings.';

type Viewer = Parameters<Approvals['get']>[1];
type Decider = Parameters<Approvals['decide']>[2];

/** An approver sees the organisation's, users their own, the operator all. */
export async function viewerOf(gateway: GatewayAdmin, principal: Principal): Promise<Viewer> {
  if (principal.kind !== 'user') return { kind: 'operator' };
  return { kind: 'user', principal, roles: (await profileOf(gateway, principal)).roles };
}

/** Throws `approval_forbidden` for credentials and sessions with which tools are called. */
export async function deciderOf(
  gateway: GatewayAdmin,
  { principal, session }: Pick<RequestOwner, 'principal' | 'session'>,
): Promise<Decider> {
  const by = session === undefined ? principal : session.decides;
  const channel = session === undefined ? 'http' : 'console';
  if (session?.kind === 'owner') return { kind: 'operator', channel, id: 'owner' };
  if (by?.kind === 'user') {
    return { kind: 'user', channel, principal: by, roles: (await profileOf(gateway, by)).roles };
  }
  if (by?.purpose === 'approve') return { kind: 'operator', channel, id: by.id };
  throw new ToolcribError(
    'approval_forbidden',
    'Whoever calls tools decides about none.',
    session === undefined ? BY_TOKEN : { next: principal.kind === 'user' ? BY_KEY : BY_OWNER },
  );
}
