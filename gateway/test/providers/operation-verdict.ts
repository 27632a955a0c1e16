import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { buildRequest } from '../../src/executors/http/index.ts';
import {
  type Connection,
  type ConnectionCredentials,
  DEFAULT_LIMITS,
  type Description,
  type JsonObject,
  type Operation,
} from '../../src/operations/index.ts';
import { describeManifestValue } from '../../src/sources/manifest/describe.ts';
import type { ProviderManifest } from '../../src/sources/manifest/manifest.ts';
import { type GreenhouseV3Double, startGreenhouseV3 } from '../doubles/greenhouse-v3.ts';
import {
  argumentsOf,
  type DocumentedOperation,
  expectedRequest,
  readsOnly,
} from '../doubles/operation-table.ts';
import { requestDifferences } from '../doubles/request-differences.ts';
import type { ShippedProvider } from './shipped-providers.ts';

const BASE = 'https://provider.test/base';

/** Compiles operations of a manifest and builds their requests in process, credentials included. */
export interface Verdicts {
  /** How the operation differs from what the provider documents; empty: not at all. */
  verdict(provider: ShippedProvider, manifest: ProviderManifest, id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Everything a manifest can ask for, so that a wrong scheme is written out rather than found missing. */
function credentialsFor({ authorization }: ShippedProvider, tokenUrl: string): ConnectionCredentials {
  const token = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice('Basic '.length), 'base64').toString().replace(/:$/, '')
    : (authorization.split(' ')[1] ?? 'no-token-of-theirs');
  return {
    bearer: token,
    apiKey: token,
    basic: { username: token, password: '' },
    oauth2: { clientId: 'gh-client', clientSecret: 'gh-secret', tokenUrl },
  };
}

/** Starts the token endpoint that Harvest v3 needs; everything else stays in the process. */
export async function startVerdicts(): Promise<Verdicts> {
  const tokens = await startGreenhouseV3();
  const egress: Egress = createEgress({ allow: [new URL(tokens.tokenUrl).origin] });
  const authorizer = createCredentialProvider({ egress, env: {} });

  async function verdict(
    provider: ShippedProvider,
    manifest: ProviderManifest,
    id: string,
  ): Promise<string[]> {
    const documented = provider.operations[id]!;
    const reachable = describe(manifest, id).operations.length > 0;
    if (reachable === (documented.blocklisted === true)) {
      return [reachable ? 'reachable despite the blocklist' : 'not reachable'];
    }
    const description = describe({ ...manifest, blocklist: [] }, id);
    const operation = description.operations[0];
    if (operation === undefined) return description.diagnostics.map(({ message }) => message);
    const connection = connectionFor(provider, description, credentialsFor(provider, tokens.tokenUrl));
    return [
      ...accessDifferences(operation, documented),
      ...actorDifferences(
        operation,
        connection,
        documented.actingUser === 'required',
        argumentsOf(documented),
      ),
      ...(await wireDifferences(operation, connection, provider, tokens, authorizer)),
    ];
  }

  return {
    verdict,
    close: async () => {
      await egress.close();
      await tokens.close();
    },
  };
}

/** The manifest with this one operation. */
function describe(manifest: ProviderManifest, id: string): Description {
  const operations = manifest.operations.filter((operation) => operation.id === id);
  return describeManifestValue({ ...manifest, operations }, manifest.provider);
}

function connectionFor(
  { actingUser }: ShippedProvider,
  { securitySchemes, provider }: Description,
  credentials: ConnectionCredentials,
): Connection {
  return {
    name: provider!.provider,
    source: provider!.provider,
    provider: provider!.provider,
    baseUrl: BASE,
    securitySchemes,
    credentials,
    limits: DEFAULT_LIMITS,
    actingUser: actingUser === '' ? '4711' : actingUser,
    ...(provider!.actingUser === undefined ? {} : { actingUserPlace: provider!.actingUser }),
  };
}

function accessDifferences({ access }: Operation, documented: DocumentedOperation): string[] {
  const dangerous = documented.dangerous === true;
  if ((access === 'dangerous') !== dangerous) {
    return [`access: ${access} for what is ${dangerous ? '' : 'not '}dangerous`];
  }
  const reads = readsOnly(documented);
  return (access === 'read') === reads ? [] : [`access: ${access} for what ${reads ? 'reads' : 'writes'}`];
}

/** Whether it insists on knowing who acts. */
function actorDifferences(
  operation: Operation,
  { actingUser: _, ...nobody }: Connection,
  required: boolean,
  args: object,
): string[] {
  let refused = false;
  try {
    buildRequest(operation, args as JsonObject, nobody);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'acting_user_missing') throw error;
    refused = true;
  }
  return refused === required ? [] : [`acting user: ${required ? 'not ' : ''}asked for`];
}

async function wireDifferences(
  operation: Operation,
  connection: Connection,
  provider: ShippedProvider,
  tokens: GreenhouseV3Double,
  authorizer: ReturnType<typeof createCredentialProvider>,
): Promise<string[]> {
  const documented = provider.operations[operation.id]!;
  if (operation.invocation.kind !== 'http') return ['no HTTP operation'];
  const built = buildRequest(operation, argumentsOf(documented) as JsonObject, connection);
  const request = await authorizer.authorize(
    built,
    connection,
    operation.invocation.security,
    AbortSignal.timeout(10_000),
  );
  const { search, searchParams } = new URL(request.url);
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const received = {
    method: request.method,
    target: request.url.slice(BASE.length),
    path: request.url.slice(BASE.length, request.url.length - search.length),
    query: [...searchParams],
    headers,
    body: Buffer.from(request.body ?? ''),
  };
  const expected = expectedRequest(documented, provider.rules, provider.actingUser);
  const { authorization } = provider;
  if (authorization !== 'Bearer') {
    return requestDifferences(received, { ...expected, headers: { ...expected.headers, authorization } });
  }
  const subject = tokens.subjectOf(received);
  return [
    ...requestDifferences(received, expected),
    ...(subject === provider.actingUser ? [] : [`token: of ${subject} instead of ${provider.actingUser}`]),
  ];
}
