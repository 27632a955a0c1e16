import type { Configuration } from '../../config/index.ts';
import { isLoopbackHost } from '../../config/server-address.ts';
import { EgressFailure } from '../../egress/egress.ts';
import { isToolcribError } from '../../errors.ts';
import type { JsonObject } from '../../operations/index.ts';
import type { Finding } from '../finding.ts';
import type { IssuerReading } from './issuer-reading.ts';

type Server = Configuration['server'];
type Jwt = NonNullable<Configuration['auth']['jwt']>;

const check = 'client sign-in';

/** What clients are told, and what the identity provider offers them. */
export async function aboutClients(server: Server, jwt: Jwt, reading: IssuerReading): Promise<Finding[]> {
  const address = aboutAddress(server);
  if ('error' in reading) return [...address, unread(jwt.issuer, reading.error)];
  try {
    const { offers, faults } = await aboutIssuer(jwt, reading.metadata);
    if (address.length + faults.length > 0) return [...address, ...faults];
    const known = server.publicUrl === undefined ? '' : `; they know this gateway as ${server.publicUrl}/mcp`;
    const message = `${jwt.issuer} lets clients sign in by themselves${offers}${known}.`;
    return [{ check, status: 'ok', message }];
  } catch (error) {
    return [...address, unread(jwt.issuer, error)];
  }
}

/** What is sent away in the clear can be read on the way, tokens as well. */
function aboutAddress({ host, publicUrl, tls }: Server): Finding[] {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (known?.protocol === 'http:' && !isLoopbackHost(known.hostname)) {
    return [
      warning(
        `Clients are sent to ${publicUrl}, where tokens go in the clear.`,
        'Set `server.tls`, or put a proxy that ends TLS in front; and the https address into `server.publicUrl`.',
      ),
    ];
  }
  if (known !== undefined || tls !== undefined || isLoopbackHost(host)) return [];
  return [
    warning(
      'Clients are told the address that each request is sent to: behind a proxy that ends TLS that is http, which they refuse.',
      'Set `server.publicUrl` to the address that clients know, such as https://tools.example.com.',
    ),
  ];
}

async function aboutIssuer(
  { issuer, jwksUrl, claims }: Jwt,
  metadata: JsonObject | undefined,
): Promise<{ offers: string; faults: Finding[] }> {
  if (metadata === undefined) {
    const fault = warning(
      `${issuer} publishes no metadata: clients do not find out where to sign in.`,
      'Compare `auth.jwt.issuer` with what the provider names as its issuer, in the `iss` of a token.',
    );
    return { offers: '', faults: [fault] };
  }
  const { keySetUrlOf } = await import('../../credentials/issuer-metadata.ts');
  const named = keySetUrlOf(metadata, issuer);
  const faults: Finding[] = [];
  const absent = ['authorization_endpoint', 'token_endpoint'].filter(
    (name) => typeof metadata[name] !== 'string' || !URL.canParse(metadata[name]),
  );
  if (absent.length > 0) {
    faults.push(
      warning(
        `The metadata of ${issuer} name no ${absent.join(' and no ')}: nobody can sign in there.`,
        'Use an issuer that people sign in at, with an authorization code.',
      ),
    );
  }
  const pkce = metadata['code_challenge_methods_supported'];
  if (!Array.isArray(pkce) || !pkce.includes('S256')) {
    faults.push(
      warning(
        `The metadata of ${issuer} do not say code_challenge_methods_supported with S256: most clients then refuse to sign in.`,
        'Switch PKCE on at the provider. Some know it and do not say so: then try the clients that you use.',
      ),
    );
  }
  // OpenID Connect Core 1.0 §8.1
  const subjects = metadata['subject_types_supported'];
  const differs = Array.isArray(subjects) && subjects.includes('pairwise') && !subjects.includes('public');
  if (claims.user === 'sub' && differs) {
    faults.push(
      warning(
        `${issuer} gives each client another "sub" for the same person: who is known by one is nobody to the next, the console among them.`,
        'Name a claim that is the same for all in `auth.jwt.claims.user`, such as oid at Entra ID, and add people by it.',
      ),
    );
  }
  const registers = typeof metadata['registration_endpoint'] === 'string';
  const documents = metadata['client_id_metadata_document_supported'] === true;
  if (!registers && !documents) {
    faults.push(
      warning(
        `${issuer} registers no clients by itself.`,
        'Register each client at the provider, with its redirect addresses, and give people the client id for their settings.',
      ),
    );
  }
  if (jwksUrl !== undefined && named !== undefined && !isSameUrl(jwksUrl, named)) {
    faults.push(
      warning(
        `auth.jwt.jwksUrl is ${jwksUrl}, and ${issuer} says that its keys are at ${named}.`,
        'Take `auth.jwt.jwksUrl` out unless another address is meant.',
      ),
    );
  }
  const ways = [...(documents ? ['metadata documents'] : []), ...(registers ? ['registration'] : [])];
  return { offers: `, by ${ways.join(' and ')}`, faults };
}

function unread(issuer: string, error: unknown): Finding {
  if (isToolcribError(error)) return { check, status: 'error', message: error.message, next: error.next };
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const message = `The metadata of ${issuer} did not come in time.`;
    return { check, status: 'error', message, next: 'Check the address and the network.' };
  }
  if (error instanceof EgressFailure) {
    const message = `The metadata of ${issuer} cannot be read: ${error.message}.`;
    return { check, status: 'error', message, next: 'Check the address and the network.' };
  }
  throw error;
}

function warning(message: string, next: string): Finding {
  return { check, status: 'warning', message, next };
}

function isSameUrl(left: string, right: string): boolean {
  return URL.parse(left)?.href === URL.parse(right)?.href;
}
