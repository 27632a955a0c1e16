import { createHash } from 'node:crypto';
import type { CredentialProvider } from '../credentials/credential-provider.ts';
import type { Egress, OutgoingRequest } from '../egress/egress.ts';
import type { Connection, SecurityAlternative } from '../operations/index.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';
import type { ProbeAnswer } from './read-roles.ts';

/** Decoded bytes of an answer. */
const MAX_BYTES = 64 * 1024;

export interface ProbeRequestParts {
  readonly egress: Egress;
  readonly credentials: CredentialProvider;
}

/** Where a probe goes, and with which account. */
export interface ProbeTarget {
  readonly connection: Connection;
  /** Base URL, where the connection names none: of the document's first server. */
  readonly baseUrl?: string;
  readonly path: string;
  readonly timeoutMs: number;
}

/**
 * Asks with the connection's own credential, as an operation of the source would: a refusal gets one try with a
 * fresh token. Redirects are not followed. Throws EgressFailure and what obtaining a credential throws.
 */
export async function sendProbe(
  { egress, credentials }: ProbeRequestParts,
  { connection, baseUrl, path, timeoutMs }: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const deadline = Date.now() + timeoutMs;
  const plain = requestOf(connection, baseUrl ?? connection.baseUrl, path);
  const security = everyScheme(connection);
  const attempt = async () => {
    const request = await credentials.authorize(plain, connection, security, signal, deadline);
    const limits = { timeoutMs: Math.max(1, deadline - Date.now()), maxBytes: MAX_BYTES, maxRedirects: 0 };
    return { request, response: await egress.request(request, limits, signal) };
  };
  const first = await attempt();
  const isRefused =
    first.response.status === 401 || credentials.saysEnded?.(first.response, first.request) === true;
  const again = isRefused && security.length > 0 && credentials.refused(connection, first.request);
  const { response } = again ? await attempt() : first;
  // a certificate makes another request of it
  const isAnonymous = first.request === plain && plain.credentialHeaders?.length === 0;
  return { status: response.status, body: response.body, ...(isAnonymous ? { isAnonymous } : {}) };
}

function requestOf(connection: Connection, baseUrl: string | undefined, path: string): OutgoingRequest {
  const base = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (base === null) throw new Error('the source has no base URL');
  const { headers = {} } = connection;
  const accept = Object.keys(headers).some((name) => name.toLowerCase() === 'accept')
    ? []
    : [['accept', 'application/json'] as const];
  return {
    method: 'GET',
    ...(connection.socketPath === undefined ? {} : { socketPath: connection.socketPath }),
    url: `${base.origin}${trimEndOf(base.pathname, '/')}${path}`,
    headers: [...accept, ...Object.entries(headers)],
    credentialHeaders: Object.keys(headers).map((name) => name.toLowerCase()),
  };
}

/** Any way to sign in that is configured will do. */
function everyScheme({ securitySchemes }: Connection): readonly SecurityAlternative[] {
  return Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] }));
}

/** Equal for equal credentials and destinations; says nothing about them. */
export function credentialHash({ name, baseUrl, credentials, headers, actingUser }: Connection): string {
  return createHash('sha256')
    .update(JSON.stringify([name, baseUrl, credentials, headers, actingUser]))
    .digest('base64url');
}
