import { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import { type ConnectionCredentials, LEVELS } from '../../operations/index.ts';
import { memberPointer } from '../../operations/text/document-path.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';

/** What the directory takes, described; the HTTP routes publish the same schemas. */

const name = z.string().trim().min(1, 'must not be empty').max(200);
export const word = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'use letters, digits, dots, dashes and underscores');
/** An id that another system may have given, e.g. `auth0|5f7c8ec7`. */
const foreignId = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => !hasControls(text), 'must not hold control characters');
const tools = z.enum(['static', 'dynamic', 'both']).nullable();
const features = z.array(word).max(200);
const source = word;
const permissions = z.array(z.string().min(1).max(200)).max(500);

export const organisationInput = z.strictObject({
  id: word.optional().describe('Default: a random one.'),
  name,
  tools: tools.optional().describe("Which tools categories offer; null: the configuration's."),
  features: features.optional().describe('Features that are switched on.'),
});
export const organisationChanges = organisationInput.omit({ id: true }).partial();

export const userInput = z.strictObject({
  id: word.optional().describe('The operator may choose it. Default: a random one.'),
  organisation: word.nullable().optional(),
  name,
  email: z.email().max(320).nullable().optional(),
  subject: foreignId.nullable().optional().describe("The identity provider's subject (JWT sub)."),
  tools: tools.optional(),
  roles: z.array(word).max(100).optional(),
});
export const userChanges = userInput
  .omit({ id: true })
  .partial()
  .extend({ status: z.enum(['active', 'disabled']).optional() });

export const roleInput = z.strictObject({
  organisation: word.optional(),
  name: word,
  permissions,
  before: permissions.nullable().optional(),
});

export const keyInput = z.strictObject({
  user: word,
  name,
  maxAccess: z.enum(['read', 'write', 'delete']).optional().describe('The most it allows. Default: delete.'),
  sources: z.array(source).min(1).max(200).nullable().optional().describe('Null: all.'),
  expiresInDays: z.number().positive().optional().describe('Default: 90.'),
  purpose: z.enum(['approve']).optional().describe('approve: it decides approvals and calls no tool.'),
});

export const scope = z
  .string()
  .regex(
    /^(?:category:(?:\*|[A-Za-z0-9][A-Za-z0-9._-]{0,127})|source:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$/,
    'use category:NAME, category:* or source:NAME',
  );
export const levelInput = z.strictObject({
  organisation: word.optional(),
  user: word.nullable().optional().describe("Null: what the organisation's admin allows."),
  scope,
  level: z.enum(LEVELS as ['read-write', 'read-only', 'disabled', 'none']),
});
export const levelRemoval = levelInput.omit({ level: true }).strip();

/** Secrets by reference only: the store holds none. */
const reference = z.union(
  [z.strictObject({ env: name }), z.strictObject({ file: name })],
  'name secrets by { "env": NAME } or { "file": PATH }: the store holds none',
);
const publicOrReference = z.union([name, reference]);
const nango = z.strictObject({
  integration: foreignId,
  connection: foreignId.optional(),
  secretKey: reference.optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  route: z.enum(['current', 'deprecated']).optional(),
});
const settings = z.strictObject({
  bearer: reference.optional(),
  basic: z
    .union([
      z.strictObject({ username: publicOrReference, password: reference }),
      z.strictObject({ username: reference, password: z.literal('') }),
    ])
    .optional()
    .describe('With an empty password the user name is the secret: a reference too.'),
  apiKey: reference.optional(),
  oauth2: z
    .strictObject({
      clientId: publicOrReference,
      clientSecret: reference.optional(),
      refreshToken: reference.optional(),
      tokenUrl: z.url({ protocol: /^https?$/ }).optional(),
      scopes: z.array(z.string().min(1)).optional(),
      audience: z.string().min(1).optional(),
      clientAuthentication: z.enum(['basic', 'body']).optional(),
    })
    .optional(),
  nango: nango.optional(),
});
const credentials: z.ZodType<ConnectionCredentials> = z.union([
  z.literal('none'),
  settings
    .extend({ schemes: z.record(z.string(), settings).optional() })
    .refine((given) => Object.keys(given).length > 0, 'name a credential, or none'),
]) as unknown as z.ZodType<ConnectionCredentials>;

export const connectionInput = z.strictObject({
  organisation: word.optional(),
  user: word.nullable().optional().describe("Whose own it is; null: the organisation's."),
  source,
  name: name.optional(),
  status: z.enum(['connected', 'unauthenticated', 'disabled']).optional(),
  region: word.nullable().optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  credentials: credentials.nullable().optional(),
});
export const connectionChanges = connectionInput.omit({ organisation: true, user: true, source: true });

export const actingUserInput = z.strictObject({ connection: word, user: word, providerUser: foreignId });
export const actingUserRemoval = actingUserInput.omit({ providerUser: true }).strip();

/** The input checked. Throws `record_invalid` with the pointer of the first member that is wrong. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const outcome = schema.safeParse(input);
  if (outcome.success) return outcome.data;
  const { path, message, missing } = problemsOf(outcome.error.issues, input)[0]!;
  const what = path.length === 0 ? 'The record' : `"${path.join('.')}"`;
  throw new ToolcribError('record_invalid', missing ? message : `${what} is not valid: ${message}`, {
    pointer: memberPointer(path),
  });
}

function hasControls(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text);
}
