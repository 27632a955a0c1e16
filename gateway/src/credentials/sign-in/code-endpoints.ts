import { ToolcribError } from '../../errors.ts';
import type { CredentialSettings, SecurityScheme } from '../../operations/index.ts';
import { endpointUrl, resolvedUrl } from '../endpoint-url.ts';
import type { OpenIdProvider } from '../openid-discovery.ts';

export interface CodeNeed {
  readonly schemeName: string;
  readonly scheme: SecurityScheme | undefined;
  readonly settings: NonNullable<CredentialSettings['oauth2']>;
  /** Configuration key, for errors. */
  readonly place: string;
  /** What relative addresses are relative to. */
  readonly base: string | undefined;
}

/** Where a person signs in, and where the tokens of the sign-in come from. */
export interface CodeEndpoints {
  readonly authorizationUrl?: string;
  readonly tokenUrl: string;
  readonly refreshUrl: string;
  /** Where they are ended (RFC 7009), as far as it is known. */
  readonly revocationUrl?: string;
  readonly issuer?: string;
}

/** The configuration's, else those of the document's authorization code flow, else those that the provider publishes. */
export async function codeEndpoints(
  { schemeName, scheme, settings, place, base }: CodeNeed,
  discover: (url: string) => Promise<OpenIdProvider>,
): Promise<CodeEndpoints> {
  const absolute = (url: string, what: string, setting: string) =>
    endpointUrl(url, base, what, `${place}.${setting}`);
  const flow = scheme?.type === 'oauth2' ? { ...scheme, ...scheme.authorizationCode } : undefined;
  const isKnown = settings.tokenUrl !== undefined && settings.authorizationUrl !== undefined;
  const provider =
    scheme?.type === 'openIdConnect' && !isKnown ? await discover(resolvedUrl(scheme.url, base)) : undefined;
  const tokenUrl = settings.tokenUrl ?? flow?.tokenUrl ?? provider?.tokenUrl;
  if (tokenUrl === undefined) {
    throw new ToolcribError(
      'credentials_missing',
      `Scheme ${schemeName} names no token endpoint: set ${place}.tokenUrl.`,
    );
  }
  const refreshUrl = settings.tokenUrl ?? flow?.refreshUrl ?? tokenUrl;
  const authorizationUrl =
    settings.authorizationUrl ?? flow?.authorizationCode?.authorizationUrl ?? provider?.authorizationUrl;
  const revocationUrl = settings.revocationUrl ?? provider?.revocationUrl;
  return {
    tokenUrl: absolute(tokenUrl, 'token endpoint', 'tokenUrl'),
    refreshUrl: absolute(refreshUrl, 'token endpoint', 'tokenUrl'),
    ...(authorizationUrl === undefined
      ? {}
      : { authorizationUrl: absolute(authorizationUrl, 'authorization address', 'authorizationUrl') }),
    ...(revocationUrl === undefined
      ? {}
      : { revocationUrl: absolute(revocationUrl, 'revocation endpoint', 'revocationUrl') }),
    ...(provider === undefined ? {} : { issuer: provider.issuer }),
  };
}
