import { z } from 'zod';
import { didYouMean, itTakes } from '../../operations/text/nearest-name.ts';
import { basic, login } from './login.ts';
import { closed, httpUrl, redirectUri, secret, text } from './values.ts';

const settings = {
  bearer: secret.optional().describe('For http bearer, OAuth 2 and OpenID Connect schemes.'),
  basic: basic.optional(),
  apiKey: secret.optional().describe('For apiKey schemes, in header, query or cookie.'),
  oauth2: closed({
    clientId: secret,
    clientSecret: secret.optional(),
    refreshToken: secret.optional(),
    tokenUrl: httpUrl.optional().describe("Default: the document's."),
    scopes: z.array(text).optional(),
    audience: text.optional(),
    tokenFile: text
      .optional()
      .describe('A person signs in with `toolcrib login`; the tokens are kept here, and nowhere else.'),
    authorizationUrl: httpUrl.optional().describe("Default: the document's."),
    revocationUrl: httpUrl
      .optional()
      .describe(
        'Where `toolcrib logout` has the tokens ended (RFC 7009). Default: as the provider publishes it.',
      ),
    redirectUri: redirectUri.optional(),
    authorizationParameters: z
      .record(text, z.string())
      .optional()
      .describe(
        'Added to the address of the sign-in, e.g. { access_type: offline }; an empty text leaves one out.',
      ),
    clientAuthentication: z
      .enum(['basic', 'body'])
      .optional()
      .describe('How the client names itself at the token address. Default: basic.'),
  })
    .refine(
      ({ tokenFile, refreshToken }) => tokenFile === undefined || refreshToken === undefined,
      'Name a refreshToken or a tokenFile, not both.',
    )
    .optional(),
  nango: closed({
    integration: text.describe("Nango's provider_config_key."),
    connection: text.optional().describe('Connection id; connection records name their own.'),
    secretKey: secret.optional().describe('Default: { env: NANGO_SECRET_KEY }.'),
    baseUrl: httpUrl.optional().describe('Self-hosted address.'),
    route: z.enum(['current', 'deprecated']).optional(),
  }).optional(),
  login: login.optional().describe("The service's own login gives a token, or the cookie of a session."),
};

/** What a source's calls show the service, as values or as where they are found. */
export const credentials = z.union([
  z.literal('none').describe('Send no credential, even where the document asks for one.'),
  closed(
    {
      ...settings,
      schemes: z
        .record(text, closed(settings))
        .optional()
        .describe("By the name of the document's security scheme."),
    },
    schemeElsewhere,
  ),
]);

/** A key that is like none of ours is taken for the name of a scheme. */
function schemeElsewhere(key: string): string {
  const known = [...Object.keys(settings), 'schemes'];
  return (
    didYouMean(key, known) ||
    `${itTakes(known)} A scheme of the document stands below schemes: { ${key}: … }.`
  );
}

export const tls = closed({
  certificate: secret
    .optional()
    .describe('The client certificate that requests show, PEM, its chain behind it.'),
  key: secret.optional().describe('Its private key, PEM.'),
  passphrase: secret.optional().describe('Opens the key.'),
  ca: secret.optional().describe('Authorities to trust beside the usual ones, PEM.'),
})
  .refine(
    ({ certificate, key }) => (certificate === undefined) === (key === undefined),
    'Name certificate and key, or neither.',
  )
  .refine(
    ({ certificate, ca }) => certificate !== undefined || ca !== undefined,
    'Name a certificate with its key, a ca, or both.',
  );
