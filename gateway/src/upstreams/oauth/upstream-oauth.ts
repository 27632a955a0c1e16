import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { SignOut, SignOutTerms } from '../../credentials/sign-in/sign-out.ts';
import { doorOf } from '../../egress/door-of.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { createCertifiedDoors } from '../certified-doors.ts';
import type { UpstreamDefinition } from '../upstreams.ts';
import type { RegistrationContext } from './registration.ts';
import { isClientGrant, type Remote, remoteOf } from './remote.ts';
import { createRenewals } from './renewals.ts';
import { type SignInOptions, signIn } from './sign-in.ts';
import { signOutOfRemote } from './sign-out-of-remote.ts';
import type { TokenRecord } from './token-record.ts';
import type { TokenSource } from './token-source.ts';
import { createTokenStore } from './token-store.ts';

export interface UpstreamOAuthOptions {
  /** A door that the addresses of the configured servers are allowed in. */
  readonly egress: Egress;
  readonly secrets: SecretReader;
  /** Learns every live token, so that it is taken out of logs and events. */
  readonly announce: (secret: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A sign-in as it may be shown. */
export interface SignInStatus {
  readonly issuer: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: number;
  readonly renewable: boolean;
  /** `memory`: gone when the process ends. */
  readonly kept: 'file' | 'memory';
}

/** OAuth 2.1 for upstream servers (MCP authorization). Tokens live in memory, and on disk only in the `tokenFile` named. */
export interface UpstreamSignIns {
  /** Undefined where the definition takes no OAuth. */
  tokensFor(definition: UpstreamDefinition): TokenSource | undefined;
  /** Sends a person to the authorization server and waits. Throws `authorization_required` when it comes to nothing. */
  signIn(definition: UpstreamDefinition, options: SignInOptions): Promise<SignInStatus>;
  /** Ends the sign-in that is kept in the definition's `tokenFile`; throws where the authorization server does not. */
  signOut(definition: UpstreamDefinition, terms: SignOutTerms): Promise<SignOut>;
  status(definition: UpstreamDefinition): Promise<SignInStatus | undefined>;
}

/** What the server names of its own sign-in leads to no private address of somebody else. */
function namedOf({ url, oauth }: Remote): readonly string[] {
  return [url, oauth.issuer].flatMap((named) => (named === undefined ? [] : [new URL(named).origin]));
}

export function createUpstreamSignIns(options: UpstreamOAuthOptions): UpstreamSignIns {
  const { egress, secrets, announce, now = Date.now } = options;
  const store = createTokenStore(announce, now);
  const doors = createCertifiedDoors(egress, secrets);
  const contextOf = (remote: Remote, signal: AbortSignal): RegistrationContext => ({
    egress: doorOf(doors.toServer(remote), namedOf(remote)),
    tokenDoor: doorOf(doors.toTokenEndpoint(remote), namedOf(remote)),
    secrets,
    announce,
    name: remote.name,
    oauth: remote.oauth,
    signal,
  });
  const renewals = createRenewals({ store, contextOf, now });
  const statusOf = (remote: Remote, record: TokenRecord): SignInStatus => ({
    issuer: record.issuer,
    ...(record.scopes === undefined ? {} : { scopes: record.scopes }),
    ...(record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }),
    renewable: renewals.canRenew(record),
    kept: remote.oauth.tokenFile === undefined ? 'memory' : 'file',
  });
  return {
    tokensFor(definition) {
      const remote = remoteOf(definition);
      return remote === undefined ? undefined : renewals.sourceFor(remote);
    },
    async signIn(definition, asked) {
      const remote = remoteOf(definition);
      if (remote === undefined || isClientGrant(remote)) {
        const message = `The server "${definition.name}" takes no sign-in by a person.`;
        throw new ToolcribError('configuration_invalid', message);
      }
      const before = (await store.inFile(remote)) ?? (await store.load(remote));
      const context = contextOf(remote, asked.signal);
      const record = await signIn(context, remote, before, asked, now);
      await store.alone(remote, asked.signal, () => store.save(remote, record));
      return statusOf(remote, record);
    },
    async signOut(definition, terms) {
      const remote = remoteOf(definition);
      const file = remote?.oauth.tokenFile;
      if (remote === undefined || isClientGrant(remote) || file === undefined) {
        const message = `No sign-in to the server "${definition.name}" is kept in a file.`;
        throw new ToolcribError('configuration_invalid', message, {
          next: 'Nothing is to be ended: without `oauth.tokenFile` a sign-in ends with its process.',
        });
      }
      return signOutOfRemote(contextOf(remote, terms.signal), remote, file, terms);
    },
    async status(definition) {
      const remote = remoteOf(definition);
      const record = remote === undefined ? undefined : await store.load(remote);
      return remote && record && statusOf(remote, record);
    },
  };
}
