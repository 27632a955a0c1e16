import { z } from 'zod';
import { headerName } from '../../operations/http/header-shapes.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import type { ParameterDef, ProviderManifest, ProviderOperation } from './manifest.ts';

const text = z.string().min(1);
const prose = z.string().trim().min(1);
const notes = z
  .union([prose, z.array(prose)])
  .describe('For people: where a fact comes from, what is uncertain.');
const verified = z.boolean().describe("false: not checked against the provider's documentation.");
const count = z.int().min(0);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a date like 2026-08-31.');
const httpUrl = z
  .string()
  .refine(isBaseUrl, 'Must be an http or https URL without user, query and fragment.')
  .meta({ format: 'uri' });
const name = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    'A name begins with a letter and has letters, digits, "_", "." or "-".',
  );

/** What an argument and each of its parts can say. */
const valueShape = {
  type: z
    .enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'file'])
    .optional()
    .describe('Absent: any value. file: bytes, in multipart bodies only.'),
  description: prose.optional().describe('For a model: meaning, unit, where the value comes from.'),
  required: z.boolean().optional(),
  default: z.json().optional().describe('What the service assumes when nothing is sent; never sent by us.'),
  enum: z.array(z.json()).min(1).optional(),
  format: text.optional().describe('JSON Schema format: date, date-time, email, uri …'),
  pattern: text.optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  additionalProperties: z.boolean().optional().describe('An object may hold members beyond properties.'),
  nullable: z.boolean().optional(),
  deprecated: z.boolean().optional(),
  examples: z.array(z.json()).optional(),
  verified: verified.optional(),
  notes: notes.optional(),
  get items() {
    return value.optional();
  },
  get properties() {
    return z.record(text, value).optional();
  },
};

const value: z.ZodType<ParameterDef> = z.lazy(() => z.strictObject(valueShape)).meta({ id: 'value' });

const parameter: z.ZodType<ParameterDef> = z
  .strictObject({
    ...valueShape,
    in: z
      .enum(['path', 'query', 'header'])
      .optional()
      .describe('Absent: path where the path has the placeholder, else query.'),
    style: z
      .enum(['repeat', 'comma'])
      .optional()
      .describe('Lists in the query: tag=a&tag=b (repeat, the default) or tag=a,b (comma).'),
  })
  .meta({ id: 'parameter' });

const deprecation = z.strictObject({
  since: date.optional(),
  removal: date.optional(),
  replacement: text.optional().describe('The provider or operation to use instead.'),
});

export const operationSchema: z.ZodType<ProviderOperation> = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'An id begins with a letter and has letters, digits or "_".')
      .describe('The tool is called <provider>_<id>.'),
    title: prose.optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
    path: z
      .string()
      .regex(/^\/[^?#\s\\]*$/, 'A path begins with "/" and has no query, fragment or white space.')
      .describe('Below baseUrl; {placeholders} are named by params.'),
    access: z
      .enum(['read', 'write', 'delete', 'dangerous'])
      .describe('What the operation does, whatever its method. dangerous: never listed or callable.'),
    accessReason: prose.optional().describe('Why the access is not what the method suggests.'),
    description: prose.describe('For a model: what it does, when to use it, what the ids are, pitfalls.'),
    parameters: z.array(text).optional().describe('Names of shared parameters.'),
    params: z.record(name, parameter).optional(),
    body: z.record(text, value).optional(),
    contentType: z.enum(['json', 'multipart', 'form']).optional().describe('Of the body; default json.'),
    response: z.enum(['json', 'binary']).optional(),
    responseHints: z.array(prose).optional().describe('Fields of the answer that matter.'),
    paginated: z.boolean().optional().describe('Takes the shared parameters that pagination names.'),
    exactlyOne: z
      .array(z.array(text).min(2))
      .optional()
      .describe('Of each list of arguments exactly one must be given.'),
    meta: z
      .strictObject({
        requiresOnBehalfOf: z
          .boolean()
          .optional()
          .describe('Refused unless the caller is mapped to a user of the provider.'),
        acceptsOnBehalfOf: z.boolean().optional().describe('The acting user is sent where it is known.'),
        wrapInData: z.boolean().optional().describe('The body goes as {"data": [fields]}.'),
      })
      .optional(),
    requires: z
      .strictObject({
        permissions: z.array(text).optional(),
        roles: z.array(text).optional(),
        feature: text.optional(),
      })
      .optional()
      .describe('What the caller must hold beside the access level.'),
    tags: z.array(text).optional(),
    deprecated: z.union([z.boolean(), deprecation]).optional(),
    safety: z
      .strictObject({ idempotent: z.boolean().optional(), destructive: z.boolean().optional() })
      .optional(),
    cost: z
      .strictObject({ usd: z.number().min(0).optional(), typicalMs: z.number().min(0).optional() })
      .optional()
      .describe('Price of one call in US dollars, and milliseconds that it usually takes.'),
    budget: z
      .strictObject({
        calls: count.optional(),
        usd: z.number().min(0).optional(),
        bytes: count.optional(),
        per: z.enum(['principal', 'run']).optional(),
        windowSeconds: z.number().positive().optional(),
      })
      .refine(
        ({ calls, usd, bytes }) => calls !== undefined || usd !== undefined || bytes !== undefined,
        'Say how much: calls, usd or bytes.',
      )
      .optional()
      .describe('The most that one caller, or one run, may use within a window; default one day.'),
    limits: z
      .strictObject({
        timeoutSeconds: z.number().positive().optional(),
        maxAttempts: z.int().min(1).optional(),
        maxOutputBytes: z.int().min(1).optional(),
      })
      .optional(),
    verified: verified.optional(),
    notes: notes.optional(),
  })
  .meta({ id: 'operation' });

const auth = z
  .strictObject({
    type: z.enum(['bearer', 'basic', 'api-key', 'oauth2']),
    name: name
      .optional()
      .describe('Name of the security scheme, for credentials.schemes; default: its type.'),
    headerName: headerName.optional(),
    format: text
      .optional()
      .describe('How the credential stands in the header: Bearer <token>, Basic base64(<token>:) …'),
    in: z.enum(['header', 'query']).optional().describe('Of an API key; default header.'),
    parameter: text.optional().describe('Query parameter of an API key.'),
    tokenUrl: httpUrl.optional(),
    refreshUrl: httpUrl.optional(),
    authorizeUrl: httpUrl.optional(),
    scopes: z.array(text).optional(),
    clientAuthentication: z.enum(['basic', 'body']).optional(),
    audience: text.optional(),
    verified: verified.optional(),
    notes: notes.optional(),
  })
  .meta({ id: 'auth' });

/** A manifest without its operations, which are judged one by one. */
const headShape = {
  $schema: text.optional(),
  provider: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'A provider has small letters, digits or "-".')
    .describe('The name that the proxy and connections use.'),
  displayName: prose,
  category: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'A category has small letters, digits or "-".')
    .describe('Access levels are set by it: ats, crm, email, calendar …'),
  baseUrl: httpUrl,
  apiVersion: text,
  auth: z.union([auth, z.array(auth).min(1)]).describe('One way to authenticate, or several to choose from.'),
  onBehalfOf: z
    .union([
      z.strictObject({ in: z.enum(['header', 'query']), name: text }),
      z.strictObject({ in: z.literal('token') }),
    ])
    .optional()
    .describe('How the provider is told who acts.'),
  parameters: z
    .record(name, parameter)
    .optional()
    .describe('Shared parameters, taken by operations by name.'),
  pagination: z
    .strictObject({
      style: z.enum(['page', 'cursor', 'offset', 'link']),
      parameters: z.array(text).optional().describe('Shared parameters of every paginated operation.'),
      alone: text.optional().describe('One of them that refuses every other query parameter beside it.'),
      notes: notes.optional(),
    })
    .optional(),
  blocklist: z
    .array(z.string().regex(/^\/[^?#\s]+$/, 'An entry begins with "/".'))
    .optional()
    .describe('Paths below baseUrl, in whole segments, that nobody reaches with anything below them.'),
  rateLimit: z
    .strictObject({ requests: z.int().min(1), windowSeconds: z.number().positive(), notes: notes.optional() })
    .optional()
    .describe('At most so many requests within any window, per connection.'),
  regions: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'A region has small letters, digits or "-".'),
      z.strictObject({ baseUrl: httpUrl, verified: verified.optional(), notes: notes.optional() }),
    )
    .optional(),
  deprecated: deprecation.optional(),
  generic: z
    .record(z.string(), z.json())
    .optional()
    .describe('Mappings to the generic tools of the category, by record name.'),
  notes: notes.optional(),
};

export const headSchema = z.strictObject({ ...headShape, operations: z.array(z.unknown()).min(1) });

export const manifestSchema: z.ZodType<ProviderManifest> = z.strictObject({
  ...headShape,
  operations: z.array(operationSchema).min(1),
}) as unknown as z.ZodType<ProviderManifest>;

function isBaseUrl(given: string): boolean {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return !includesCredentials(url) && !/[?#]/.test(given);
}
