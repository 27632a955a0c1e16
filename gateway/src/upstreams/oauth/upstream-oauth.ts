import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { UpstreamDefinition, UpstreamOAuth } from '../upstreams.ts';
import { clientCredentials } from './client-credentials.ts';
import { configuredClient, type RegistrationContext } from './registration.ts';
import { type SignInOptions, signIn } from './sign-in.ts';
import { exchangeToken, isInvalidGrant } from './token-exchange.ts';
import { readTokenFile, writeTokenFile } from './token-file.ts';
import { withTokenFileLock } from './token-file-lock.ts';
import type { TokenRecord } from './token-record.ts';
import type { TokenSource } from './token-source.ts';

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
  status(definition: UpstreamDefinition): Promise<SignInStatus | undefined>;
}

/** Not used in its last minute, nor in the last half of a shorter life. */
const SKEW_MS = 60_000;
const RENEWAL_MS = 30_000;

export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly oauth: UpstreamOAuth;
}

export function createUpstreamSignIns(options: UpstreamOAuthOptions): UpstreamSignIns {
  const { egress, secrets, announce, now = Date.now } = options;
  const kept = new Map<string, TokenRecord>();
  const renewals = new Map<string, Promise<TokenRecord>>();
  /** Refresh tokens that the authorization server no longer takes. */
  const dead = new Set<string>();

  const keyOf = ({ name, url }: Remote) => JSON.stringify([name, url]);
  const contextOf = ({ name, oauth }: Remote, signal: AbortSignal): RegistrationContext => ({
    egress,
    secrets,
    announce,
    name,
    oauth,
    signal,
  });

  const inFile = async ({ url, oauth }: Remote): Promise<TokenRecord | undefined> => {
    if (oauth.tokenFile === undefined) return undefined;
    const record = await readTokenFile(oauth.tokenFile);
    return record?.server === url ? record : undefined;
  };
  const remember = (remote: Remote, record: TokenRecord): TokenRecord => {
    for (const secret of [record.accessToken, record.refreshToken, record.client.secret]) {
      if (secret !== undefined) announce(secret);
    }
    kept.set(keyOf(remote), record);
    return record;
  };
  const save = async (remote: Remote, record: TokenRecord): Promise<TokenRecord> => {
    remember(remote, record);
    const { tokenFile, clientId, grant } = remote.oauth;
    if (tokenFile !== undefined && grant !== 'client_credentials') {
      // what the configuration knows is not written a second time
      const client = clientId === undefined ? record.client : { id: record.client.id };
      await writeTokenFile(tokenFile, { ...record, client });
    }
    return record;
  };
  const load = async (remote: Remote): Promise<TokenRecord | undefined> => {
    const record = kept.get(keyOf(remote));
    if (record !== undefined) return record;
    const stored = await inFile(remote);
    return stored === undefined ? undefined : remember(remote, stored);
  };

  const isFresh = ({ expiresAt }: TokenRecord) => expiresAt === undefined || expiresAt > now();
  const isDue = ({ expiresAt }: TokenRecord, issuedAt: number) =>
    expiresAt !== undefined && expiresAt - now() < Math.min(SKEW_MS, (expiresAt - issuedAt) / 2);

  /** Another process, or a call before, may have renewed it already. */
  const newer = async (remote: Remote, refused: string | undefined): Promise<TokenRecord | undefined> => {
    const candidates = [kept.get(keyOf(remote)), await inFile(remote)];
    const found = candidates.find((record) => record && record.accessToken !== refused && isFresh(record));
    return found === undefined ? undefined : remember(remote, found);
  };

  const refresh = async (remote: Remote, record: TokenRecord, signal: AbortSignal): Promise<TokenRecord> => {
    const { refreshToken } = record;
    if (refreshToken === undefined || dead.has(refreshToken)) throw signInNeeded(remote);
    const client = (await configuredClient(contextOf(remote, signal))) ?? record.client;
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const issuedAt = now();
      const issued = await exchangeToken(egress, record, client, grant, { now, signal });
      const { expiresAt: _old, ...lasting } = record;
      return await save(remote, { ...lasting, client, refreshToken, issuedAt, ...issued });
    } catch (error) {
      if (!isInvalidGrant(error)) throw error;
      const other = await inFile(remote);
      if (other && other.refreshToken !== refreshToken && isFresh(other)) return remember(remote, other);
      dead.add(refreshToken);
      throw signInNeeded(remote, error);
    }
  };

  /** Where a file is shared, its folder is there already: somebody signed in. */
  const alone = async (
    remote: Remote,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<TokenRecord>,
  ): Promise<TokenRecord> => {
    const { tokenFile, grant } = remote.oauth;
    if (tokenFile === undefined || grant === 'client_credentials' || !(await load(remote)))
      return run(signal);
    return withTokenFileLock(tokenFile, signal, () => run(signal));
  };

  /** One renewal at a time, and to its end even when nobody waits any more: a rotated token must not be lost. */
  const renew = (
    remote: Remote,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<TokenRecord>,
  ): Promise<TokenRecord> => {
    const key = keyOf(remote);
    let renewal = renewals.get(key);
    if (renewal === undefined) {
      renewal = alone(remote, AbortSignal.timeout(RENEWAL_MS), run).finally(() => renewals.delete(key));
      renewal.catch(() => {});
      renewals.set(key, renewal);
    }
    return untilAborted(renewal, signal);
  };

  const sourceFor = (remote: Remote): TokenSource => {
    const isClient = remote.oauth.grant === 'client_credentials';
    const asClient = async (
      base: TokenRecord | undefined,
      metadata: string | undefined,
      wanted: readonly string[],
      signal: AbortSignal,
    ) =>
      save(remote, await clientCredentials(contextOf(remote, signal), remote, base, metadata, wanted, now));
    return {
      async current(signal) {
        const record = await load(remote);
        if (record === undefined || !isDue(record, record.issuedAt ?? Number.NEGATIVE_INFINITY))
          return record?.accessToken;
        try {
          const next = await renew(remote, signal, async (own) => {
            if (isClient) return asClient(record, undefined, [], own);
            return (await newer(remote, record.accessToken)) ?? refresh(remote, record, own);
          });
          return next.accessToken;
        } catch (error) {
          if (isFresh(record) && !signal.aborted) return record.accessToken;
          throw error;
        }
      },
      async renewed(refused, challenge, signal) {
        const record = await renew(remote, signal, async (own) => {
          const other = await newer(remote, refused);
          if (other !== undefined) return other;
          const base = kept.get(keyOf(remote));
          if (isClient) return asClient(base, challenge.resourceMetadata, challenge.scopes ?? [], own);
          if (base === undefined) throw signInNeeded(remote);
          return refresh(remote, base, own);
        });
        return record.accessToken;
      },
      async steppedUp(refused, challenge, signal) {
        const stored = await inFile(remote);
        if (stored !== undefined && stored.accessToken !== refused)
          return remember(remote, stored).accessToken;
        const base = await load(remote);
        const missing = (challenge.scopes ?? []).filter((scope) => !base?.scopes?.includes(scope));
        if (isClient && base !== undefined && missing.length > 0) {
          const run = (own: AbortSignal) => asClient(base, undefined, challenge.scopes ?? [], own);
          return (await renew(remote, signal, run)).accessToken;
        }
        const wanted = [...new Set([...(base?.wanted ?? []), ...(challenge.scopes ?? [])])];
        if (base !== undefined && wanted.length > 0) await save(remote, { ...base, wanted });
        throw scopeNeeded(remote, challenge.scopes ?? []);
      },
    };
  };

  const statusOf = (remote: Remote, record: TokenRecord): SignInStatus => ({
    issuer: record.issuer,
    ...(record.scopes === undefined ? {} : { scopes: record.scopes }),
    ...(record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }),
    renewable: record.refreshToken !== undefined && !dead.has(record.refreshToken),
    kept: remote.oauth.tokenFile === undefined ? 'memory' : 'file',
  });

  return {
    tokensFor(definition) {
      const remote = remoteOf(definition);
      return remote === undefined ? undefined : sourceFor(remote);
    },
    async signIn(definition, signInOptions) {
      const remote = remoteOf(definition);
      if (remote === undefined || remote.oauth.grant === 'client_credentials') {
        throw new ToolcribError(
          'configuration_invalid',
          `The server "${definition.name}" takes no sign-in by a person.`,
        );
      }
      const before = await load(remote);
      const context = contextOf(remote, signInOptions.signal);
      return statusOf(remote, await save(remote, await signIn(context, remote, before, signInOptions, now)));
    },
    async status(definition) {
      const remote = remoteOf(definition);
      const record = remote === undefined ? undefined : await load(remote);
      return remote && record && statusOf(remote, record);
    },
  };
}

/** A header of the configuration that says who we are leaves no room for OAuth. */
function remoteOf({ name, transport }: UpstreamDefinition): Remote | undefined {
  if (transport.kind === 'stdio' || transport.oauth === 'none') return undefined;
  const fixed = Object.keys(transport.headers).some((header) => header.toLowerCase() === 'authorization');
  if (fixed && transport.oauth === undefined) return undefined;
  return { name, url: transport.url, oauth: transport.oauth ?? {} };
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function signInNeeded({ name }: Remote, cause?: unknown): ToolcribError {
  const what = cause === undefined ? 'asks for a sign-in' : 'no longer takes the sign-in that is kept for it';
  return new ToolcribError('authorization_required', `The server "${name}" ${what}.`, {
    next: `Sign in to the server: \`toolcrib upstream login ${name}\`.`,
    cause,
  });
}

function scopeNeeded({ name, oauth }: Remote, scopes: readonly string[]): ToolcribError {
  const next =
    oauth.grant === 'client_credentials'
      ? `Ask whoever runs the authorization server to allow the scopes to this client.`
      : `Sign in again, which asks for them: \`toolcrib upstream login ${name}\`.`;
  const message = `The server "${name}" wants more than the sign-in allows: ${scopes.join(' ') || 'it does not say which scopes'}.`;
  return new ToolcribError('authorization_required', message, { next, details: { scopes } });
}
