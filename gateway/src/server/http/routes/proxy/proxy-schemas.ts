import { z } from 'zod';

/** A provider's request and its answer; what is wrong with one is told in the proxy's own words. */
export const PROXY_REQUEST = z.object({
  provider: z.string().describe('greenhouse, zoho-recruit, lever, …'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  path: z.string().describe("Below the provider's base URL: /candidates/123"),
  query: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional().describe('As it goes on the wire.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Only conditions, languages, Idempotency-Key and Prefer go on; everything else is left out.'),
});

export const PROXY_ANSWER = z.object({
  data: z.unknown().describe("The provider's JSON or text."),
  meta: z.object({
    provider: z.string(),
    method: z.string(),
    path: z.string(),
    durationMs: z.number().int(),
  }),
});

export const PROXY_FAILURE = z.object({
  error: z.looseObject({
    message: z.string(),
    code: z.string().optional().describe('Absent where the provider itself refused.'),
    status: z.number().int().optional().describe("The provider's status, where it refused."),
    data: z.unknown().optional().describe('What the provider answered with it.'),
    link: z.string().optional().describe('Where an account is connected again.'),
    approval: z.string().optional().describe('Id of the approval that is waited for.'),
  }),
});
