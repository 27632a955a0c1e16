import { askProvider } from '../../credentials/provider-request.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import { printable } from '../../operations/text/printable.ts';
import type { UpstreamOAuth } from '../upstreams.ts';
import type { AuthorizationFacts } from './discovery.ts';

/** Who we are at one authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** How it shows itself at the token endpoint, where that is known: as it was registered, or configured. */
  readonly method?: ClientMethod;
}

/** Of `token_endpoint_auth_method` (RFC 7591 §2), those that are spoken here. */
type ClientMethod = (typeof CLIENT_METHODS)[number];

/** As they are wished for: Basic is last, since servers differ in whether they decode it (RFC 6749 §2.3.1). */
const CLIENT_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const;

export interface RegistrationContext {
  readonly egress: Egress;
  /** The door to the token endpoint. */
  readonly tokenDoor: Egress;
  readonly secrets: SecretReader;
  readonly announce: (secret: string) => void;
  /** The server's name. */
  readonly name: string;
  readonly oauth: UpstreamOAuth;
  readonly signal: AbortSignal;
}

/** The client that the configuration names; undefined where it names none. */
export async function configuredClient(context: RegistrationContext): Promise<OAuthClient | undefined> {
  const { oauth, secrets, name, signal } = context;
  const { clientId, clientSecret, clientAuthentication } = oauth;
  if (clientId === undefined) return undefined;
  const place = `${name}.oauth`;
  const id = await secrets.read(clientId, `${place}.clientId`, signal, 'public');
  if (clientSecret === undefined) return { id };
  const secret = await secrets.read(clientSecret, `${place}.clientSecret`, signal);
  if (clientAuthentication === undefined) return { id, secret };
  return {
    id,
    secret,
    method: clientAuthentication === 'body' ? 'client_secret_post' : 'client_secret_basic',
  };
}

/**
 * MCP authorization, client registration: the configured client, else the metadata document where the server takes
 * one, else dynamic registration (RFC 7591). Throws `credentials_missing` or `credentials_refused`.
 */
export async function clientAt(
  facts: AuthorizationFacts,
  redirectUri: string,
  context: RegistrationContext,
): Promise<OAuthClient> {
  const configured = await configuredClient(context);
  if (configured !== undefined) return configured;
  const { clientMetadataUrl } = context.oauth;
  if (clientMetadataUrl !== undefined && facts.metadataDocuments)
    return { id: documentUrl(clientMetadataUrl) };
  if (facts.registrationEndpoint === undefined) {
    throw new ToolcribError(
      'credentials_missing',
      `The authorization server ${printable(facts.issuer, 300)} registers no clients by itself.`,
      { next: registerByHand(context.name) },
    );
  }
  return register(facts.registrationEndpoint, redirectUri, wantedMethod(facts), context);
}

function registerByHand(name: string): string {
  return `Register Toolcrib there by hand and set \`oauth.clientId\` of the server ${name}.`;
}

/** Without a secret, unless the server knows other ways only. */
function wantedMethod({ methods }: AuthorizationFacts): ClientMethod {
  return CLIENT_METHODS.find((method) => methods.includes(method)) ?? 'none';
}

export function isClientMethod(value: unknown): value is ClientMethod {
  return (CLIENT_METHODS as readonly unknown[]).includes(value);
}

/** Client ID metadata documents: an https URL with a path. */
function documentUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && !includesCredentials(url) && url.hash === '';
  if (isPlain && url.protocol === 'https:' && url.pathname !== '/') return text;
  throw new ToolcribError(
    'configuration_invalid',
    `oauth.clientMetadataUrl ${text} is no https URL with a path.`,
  );
}

async function register(
  endpoint: string,
  redirectUri: string,
  wanted: ClientMethod,
  { egress, announce, name, signal }: RegistrationContext,
): Promise<OAuthClient> {
  const what = `The registration endpoint ${endpoint.split('?', 1)[0]}`;
  const request = {
    method: 'POST',
    url: endpoint,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: JSON.stringify({
      client_name: 'Toolcrib',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: wanted,
      application_type: 'native',
    }),
  } as const;
  const { status, json } = await askProvider(egress, request, what, signal);
  const id = json?.['client_id'];
  if (status < 200 || status > 299 || typeof id !== 'string' || id === '') {
    const said = [json?.['error'], json?.['error_description']].filter((word) => typeof word === 'string');
    throw new ToolcribError(
      'credentials_refused',
      `${what} answered ${status}: ${printable(said.join(': '), 300)}`,
      { status, next: registerByHand(name) },
    );
  }
  const { client_secret: secret, token_endpoint_auth_method: given } = json ?? {};
  if (typeof secret !== 'string' || secret === '') return { id };
  announce(secret);
  // RFC 7591 §3.2.1: what was registered may be another than was asked for; a secret says that it is not `none`
  const method = [given, wanted].find((one) => isClientMethod(one) && one !== 'none');
  return { id, secret, ...(isClientMethod(method) ? { method } : {}) };
}
