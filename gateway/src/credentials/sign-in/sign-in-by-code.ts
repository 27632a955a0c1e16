import type { Egress } from '../../egress/egress.ts';
import { requestToken, type TokenClient } from '../token-endpoint.ts';
import { authorizationAddress } from './authorization-request.ts';
import { askByBrowser, type BrowserSignIn, codeOf, endedSignIn } from './browser-answer.ts';
import { type SignInRecord, withGrant } from './sign-in-record.ts';

/** Everything that a sign-in needs to know of provider and client. */
export interface SignInPlan {
  readonly source: string;
  readonly authorizationUrl: string;
  readonly client: TokenClient;
  readonly scopes: readonly string[];
  readonly audience?: string | undefined;
  /** Registered at the provider; absent: 127.0.0.1 on a random port. */
  readonly redirectUri?: string | undefined;
  /** Beside what the standard says. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Known by discovery: an answer that names another is not used. */
  readonly issuer?: string | undefined;
}

export interface SignInContext extends Pick<BrowserSignIn, 'onUrl' | 'announce' | 'signal'> {
  readonly egress: Egress;
  readonly now: () => number;
}

/**
 * Authorization code with PKCE S256 and state, back to a loopback address (RFC 6749 §4.1, 7636, 8252). Throws
 * `authorization_required` when nobody agreed, `credentials_refused` for what breaks the rules.
 */
export async function signInByCode(plan: SignInPlan, context: SignInContext): Promise<SignInRecord> {
  const { source, client, scopes, audience, redirectUri: registered, issuer } = plan;
  const request = {
    endpoint: plan.authorizationUrl,
    clientId: client.clientId,
    scopes,
    parameters: plan.parameters,
    ...(audience === undefined ? {} : { target: { audience } }),
  };
  const { egress, announce, now, onUrl, signal } = context;
  try {
    const { parameters, redirectUri, verifier } = await askByBrowser({
      redirectUri: registered,
      address: (asked) => authorizationAddress(request, asked),
      onUrl,
      announce,
      signal,
    });
    const code = codeOf(
      parameters,
      source,
      issuer === undefined ? undefined : { is: issuer, mustBeNamed: false },
    );
    announce(code);
    const issuedAt = now();
    const grant = await requestToken(
      egress,
      { ...client, scopes: [], code: { code, verifier, redirectUri } },
      signal,
    );
    announce(grant.accessToken);
    if (grant.refreshToken !== undefined) announce(grant.refreshToken);
    return withGrant({ tokenUrl: client.tokenUrl, clientId: client.clientId, scopes }, grant, issuedAt);
  } catch (error) {
    throw signal.aborted ? endedSignIn(source, signal, error) : error;
  }
}
