import type { Configuration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { GrantSource, Principal } from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import type { Authenticator } from '../../principals/authentication/authenticator.ts';
import type { Directory } from '../../principals/directory/directory.ts';
import type { ProviderSignIn } from '../../server/http/sign-in/provider-sign-in.ts';
import type { ReadSecret } from '../compiling/source-reader.ts';
import type { GatewayEvents } from '../gateway-events.ts';
import type { GatewayStore } from '../gateway-store.ts';
import { consoleClientId, createProviderSignIn } from './provider-sign-in.ts';

/** Everything that a gateway has for several users. */
export interface Team {
  readonly directory: Directory;
  readonly grants: GrantSource;
  /** Who a key or a sign-in token stands for. Throws `unauthorized`, `user_refused`, `store_unavailable`. */
  authenticate(bearer: string, signal: AbortSignal): Promise<Principal>;
  /** For sessions, which keep no bearer. */
  readonly credentials: Pick<Authenticator, 'refer' | 'again'>;
  /** Where people sign in to the console; absent: with a key or a token alone. */
  readonly provider?: ProviderSignIn;
}

export interface TeamParts {
  readonly configuration: Configuration;
  readonly store: GatewayStore;
  readonly events: Pick<GatewayEvents, 'append'>;
  readonly egress: Egress;
  readonly readSecret: ReadSecret;
  /** What access needs to know of each source now. */
  readonly sources: () => Readonly<Record<string, SourceAccess>>;
}

/** Keys, sign-in tokens and grants over the store. Throws `configuration_invalid` without one. */
export async function openTeam(parts: TeamParts): Promise<Team> {
  const { configuration, store, events, egress, readSecret, sources } = parts;
  const opened = await store.open();
  if (opened === undefined) {
    throw new ToolcribError('configuration_invalid', 'auth.mode team needs a store, and store is none.', {
      pointer: '#/store',
    });
  }
  const {
    createAuthenticator,
    createDirectory,
    createKeyUses,
    createKnownOrganisations,
    createStoredGrants,
  } = await import('../../principals/index.ts');
  const organisations = createKnownOrganisations(opened);
  const { jwt } = configuration.auth;
  const client = jwt?.console;
  const clientId = client && consoleClientId(client, readSecret);
  const authenticator = createAuthenticator({
    store: opened,
    organisations,
    fetch: (url, signal) => fetchKeys(egress, url, signal),
    discover: (issuer, signal) => discoverKeys(egress, issuer, signal),
    ...(jwt === undefined ? {} : { jwt }),
    ...(clientId === undefined ? {} : { consoleClient: clientId }),
  });
  const uses = createKeyUses(opened);
  const grants = createStoredGrants({
    store: opened,
    organisations,
    sources,
    tools: configuration.tools,
  });
  return {
    directory: createDirectory({
      store: opened,
      defaults: configuration.policy.defaults,
      sources,
      ownsNangoConnection: async (credential, owner) => {
        const { ownsNangoConnection } = await import('../nango.ts');
        return ownsNangoConnection({ configuration, egress }, credential, owner);
      },
      record: async (event) => void (await events.append(event)),
    }),
    grants,
    // Lists are made from what is known: whoever comes in is looked up first.
    async authenticate(bearer, signal) {
      const principal = await authenticator.authenticate(bearer, signal);
      if (principal.key !== undefined) uses.note(principal.key);
      return principal;
    },
    credentials: authenticator,
    ...(client === undefined || clientId === undefined
      ? {}
      : {
          provider: createProviderSignIn({
            issuer: jwt!.issuer,
            client,
            clientId,
            egress,
            readSecret,
            users: authenticator,
          }),
        }),
  };
}

async function fetchKeys(egress: Egress, url: string, signal: AbortSignal) {
  const { fetchKeySet } = await import('../../credentials/key-set.ts');
  return fetchKeySet(egress, url, signal);
}

async function discoverKeys(
  egress: Egress,
  issuer: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { keySetUrlOf, readIssuerMetadata } = await import('../../credentials/issuer-metadata.ts');
  const metadata = await readIssuerMetadata(egress, issuer, signal);
  return metadata && keySetUrlOf(metadata, issuer);
}
