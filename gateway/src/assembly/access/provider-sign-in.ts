import type { JwtConfiguration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import type { Authenticator } from '../../principals/index.ts';
import type { ProviderSignIn } from '../../server/http/sign-in/provider-sign-in.ts';
import type { ReadSecret } from '../compiling/source-reader.ts';
import { lazily } from '../lazily.ts';

export interface ProviderSignInParts {
  readonly issuer: string;
  readonly client: NonNullable<JwtConfiguration['console']>;
  /** The client's id. */
  readonly clientId: () => Promise<string>;
  readonly egress: Egress;
  readonly readSecret: ReadSecret;
  readonly users: Pick<Authenticator, 'referSignedIn'>;
  /** Milliseconds since whenever. */
  readonly now?: () => number;
}

/** Where the client's settings stand. */
const PLACE = 'auth.jwt.console';
/** So long what the provider publishes is good, milliseconds. */
const KNOWN_MS = 10 * 60_000;
/** So long after a failure nobody makes us ask again. */
const PAUSE_MS = 1_000;
/** Answers that are looked at at a time: each makes the gateway ask the provider, and anybody can send one. */
const MOST_AT_ONCE = 20;
const AGAIN = 'Go back to the sign-in page and try again.';

/** Authorization code with PKCE, state and nonce (OpenID Connect Core 1.0 §3.1). Nothing of it is kept but who signed in. */
export function createProviderSignIn(parts: ProviderSignInParts): ProviderSignIn {
  const { issuer, client, clientId, egress, readSecret, users, now = () => performance.now() } = parts;
  const { name, scopes, authorizationParameters: parameters } = client;
  const maxAge = maxAgeOf(parameters);
  const credentials = lazily(async () => ({
    ...(await import('../../credentials/issuer-metadata.ts')),
    ...(await import('../../credentials/token-endpoint.ts')),
    ...(await import('../../credentials/sign-in/asked-sign-in.ts')),
    ...(await import('../../credentials/sign-in/authorization-request.ts')),
    ...(await import('../../credentials/sign-in/browser-answer.ts')),
  }));
  let known: { readonly endpoints: ReturnType<typeof readEndpoints>; until: number } | undefined;
  let open = 0;

  const readEndpoints = async () => {
    const { readIssuerMetadata, signInEndpointsOf } = await credentials();
    const metadata = await readIssuerMetadata(egress, issuer, new AbortController().signal);
    if (metadata !== undefined) return signInEndpointsOf(metadata, issuer);
    throw new ToolcribError(
      'credentials_refused',
      `The identity provider ${printable(issuer, 300)} publishes no metadata: where people sign in is not known.`,
      {
        next: 'Compare `auth.jwt.issuer` with what the provider names as its issuer; `toolcrib doctor` looks at it.',
      },
    );
  };
  /** One question for everybody who waits, whoever of them goes away: anybody can come, and none costs the provider more. */
  const endpointsOf = (signal: AbortSignal) => {
    if (known === undefined || known.until <= now()) {
      const reading = { endpoints: readEndpoints(), until: Number.POSITIVE_INFINITY };
      known = reading;
      const keep = (ms: number) => () => {
        reading.until = now() + ms;
      };
      reading.endpoints.then(keep(KNOWN_MS), keep(PAUSE_MS));
    }
    return untilAborted(known.endpoints, signal);
  };

  return {
    name,
    async begin(redirectUri, signal) {
      const { newSignIn, authorizationAddress } = await credentials();
      const { authorizationUrl } = await endpointsOf(signal);
      const { challenge, ...kept } = newSignIn();
      const request = { endpoint: authorizationUrl, clientId: await clientId(), scopes, parameters };
      const { state, nonce } = kept;
      return { address: authorizationAddress(request, { redirectUri, state, nonce, challenge }), kept };
    },
    async finish({ parameters: answer, verifier, nonce, redirectUri }, signal) {
      const { codeOf, isRefusedCode, requestToken } = await credentials();
      const { tokenUrl, namesItself, authenticatesInBody } = await endpointsOf(signal);
      const code = codeOf(answer, name, { is: issuer, mustBeNamed: namesItself }, AGAIN);
      if (open >= MOST_AT_ONCE) {
        throw new ToolcribError('rate_limited', 'Too many people are signing in at this moment.', {
          next: 'Reload this page in a few seconds.',
        });
      }
      open++;
      try {
        const id = await clientId();
        const { idToken } = await requestToken(
          egress,
          {
            tokenUrl,
            clientId: id,
            ...(client.clientSecret === undefined
              ? {}
              : { clientSecret: await readSecret(client.clientSecret, `${PLACE}.clientSecret`, signal) }),
            clientAuthentication: client.clientAuthentication ?? (authenticatesInBody ? 'body' : 'basic'),
            code: { code, verifier, redirectUri },
            scopes: [],
          },
          signal,
        );
        if (idToken === undefined) {
          throw new ToolcribError(
            'credentials_refused',
            `The identity provider ${printable(issuer, 300)} answered a sign-in without an ID token.`,
            {
              next: `Ask for the scope openid in \`${PLACE}.scopes\`, and let this client have it at the provider.`,
            },
          );
        }
        return await users.referSignedIn(idToken, { clientId: id, nonce, maxAge }, signal);
      } catch (error) {
        const isAnew = isToolcribError(error) && (error.code === 'unauthorized' || isRefusedCode(error));
        throw isAnew ? forPerson(error) : error;
      } finally {
        open--;
      }
    },
  };
}

/** Asked for as `max_age` (OpenID Connect Core 1.0 §3.1.2.1): seconds since the person showed a password or a device. */
function maxAgeOf({ max_age: asked = '' }: Readonly<Record<string, string>> = {}): number | undefined {
  return /^\d+$/.test(asked) ? Number(asked) : undefined;
}

/** Nobody here has a bearer that they could send, or a client to look at. */
function forPerson(error: ToolcribError): ToolcribError {
  const next = `${AGAIN} Should it happen again, tell whoever runs this gateway.`;
  return new ToolcribError(error.code, error.message, { next, cause: error });
}

/** The console's client id, read when it is first needed: it stays for as long as the process runs. */
export function consoleClientId(
  client: NonNullable<JwtConfiguration['console']>,
  readSecret: ReadSecret,
): () => Promise<string> {
  return lazily(() =>
    readSecret(client.clientId, `${PLACE}.clientId`, new AbortController().signal, 'public'),
  );
}
