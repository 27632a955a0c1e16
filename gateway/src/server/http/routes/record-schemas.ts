import { z } from 'zod';

/** Records of the directory, as routes take and answer them. */
const TIME = z.string().describe('ISO 8601, UTC.');
const TOOLS = z.enum(['static', 'dynamic', 'both']).nullable();

export const LEVEL = z.enum(['read-write', 'read-only', 'disabled', 'none']);
export const ID = z.string().min(1).max(200);
export const IN_ORGANISATION = z.strictObject({
  organisation: ID.optional().describe("For the operator; everybody else's is the own one."),
});

export const ORGANISATION = z.looseObject({
  id: z.string(),
  name: z.string(),
  tools: TOOLS,
  features: z.array(z.string()),
  createdAt: TIME,
});
export const ORGANISATION_CHANGES = z.strictObject({
  name: z.string().optional(),
  tools: TOOLS.optional(),
  features: z.array(z.string()).optional().describe('Features that are switched on.'),
});

export const USER = z.looseObject({
  id: z.string(),
  organisation: z.string().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  subject: z.string().nullable(),
  status: z.enum(['active', 'disabled']),
  tools: TOOLS,
  roles: z.array(z.string()),
  createdAt: TIME,
});
export const USER_CHANGES = z.strictObject({
  organisation: ID.nullable().optional(),
  name: z.string().optional(),
  email: z.string().nullable().optional(),
  subject: z.string().nullable().optional().describe("The identity provider's subject (JWT sub)."),
  tools: TOOLS.optional(),
  roles: z.array(z.string()).optional(),
  status: z.enum(['active', 'disabled']).optional(),
});

export const ROLE = z.looseObject({
  organisation: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
});

export const KEY = z.looseObject({
  id: z.string(),
  organisation: z.string(),
  user: z.string(),
  name: z.string(),
  hint: z.string().describe('The first characters, to tell keys apart.'),
  maxAccess: z.enum(['read', 'write', 'delete']),
  sources: z.array(z.string()).nullable(),
  purpose: z.enum(['approve']).nullable(),
  createdAt: TIME,
  expiresAt: TIME.nullable(),
  revokedAt: TIME.nullable(),
  lastUsedAt: TIME.nullable().describe('To the minute; null: not yet.'),
  status: z.enum(['active', 'expired', 'revoked']),
});

export const SCOPE = z
  .string()
  .regex(/^(?:category|source):.+$/, 'Write category:NAME, category:* or source:NAME.')
  .describe('category:ats, category:* or source:greenhouse; a source wins over its category.');

export const SET_LEVEL = z.looseObject({
  organisation: z.string(),
  user: z.string().nullable().describe("Null: what the organisation's admin allows."),
  scope: z.string(),
  level: LEVEL,
  updatedAt: TIME,
});

export const CREDENTIALS = z
  .union([z.literal('none'), z.record(z.string(), z.unknown())])
  .nullable()
  .describe('By reference only, e.g. { "nango": { "integration": "greenhouse", "connection": "…" } }.');

export const CONNECTION = z.looseObject({
  id: z.string(),
  organisation: z.string(),
  user: z.string().nullable().describe("Null: the organisation's."),
  source: z.string(),
  name: z.string(),
  status: z.enum(['connected', 'unauthenticated', 'disabled']),
  region: z.string().nullable(),
  baseUrl: z.string().nullable(),
  credentials: CREDENTIALS,
  reconnectSince: TIME.nullable().describe(
    'Since when calls find that somebody has to connect the account anew; null: the last one found it good.',
  ),
  createdAt: TIME,
  updatedAt: TIME,
});
export const CONNECTION_CHANGES = z.strictObject({
  name: z.string().optional(),
  status: z.enum(['connected', 'unauthenticated', 'disabled']).optional(),
  region: z.string().nullable().optional(),
  baseUrl: z.string().nullable().optional(),
  credentials: CREDENTIALS.optional(),
});

export const ACTING_USER = z.looseObject({
  connection: z.string(),
  user: z.string(),
  providerUser: z.string().describe("The user's own id at the provider."),
});

export const CONNECT_SESSION = z.object({
  token: z.string(),
  connectLink: z.string().describe('Whoever has it can connect the account: show it to that person only.'),
  expiresAt: z.string(),
});
