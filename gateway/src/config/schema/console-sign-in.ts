import { z } from 'zod';
import { closed, scope, secret, text } from './values.ts';

/** `auth.jwt.console`: the console as a client of the identity provider (OpenID Connect Core 1.0 §3.1). */
export const consoleSignInShape = closed({
  clientId: secret.describe(
    'The console as the provider knows it; its redirect address is ORIGIN/sign-in/answer.',
  ),
  clientSecret: secret.optional().describe('Default: none, the client proves itself by PKCE alone.'),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .optional()
    .describe('How the client names itself at the token address. Default: as its metadata say.'),
  scopes: z
    .array(scope)
    .max(100)
    .refine((scopes) => scopes.includes('openid'), 'Must have openid: without it nobody says who signed in.')
    .optional()
    .describe('What is asked for. Default: [ openid ].'),
  name: z
    .string()
    .regex(/^[^\p{C}]{1,60}$/u, 'Is no name of 1 to 60 characters.')
    .optional()
    .describe("What people call the provider. Default: its issuer's host."),
  authorizationParameters: z
    .record(text, z.string())
    .refine(
      ({ response_mode: mode = 'query' }) => mode === 'query',
      'Must leave response_mode as it is: the answer comes back in the query of the redirect address.',
    )
    .optional()
    .describe('Added to the address of the sign-in, e.g. { prompt: select_account }.'),
});
