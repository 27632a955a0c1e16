import type { Egress } from '../../egress/egress.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { JsonObject, NangoCredential } from '../../operations/index.ts';
import { createSecretReader, type Environment } from '../secret-reference.ts';
import { regionOfExtension } from './data-centre.ts';
import { fetchConnection } from './nango-connection.ts';
import type { ConnectionConfig } from './nango-credential.ts';
import { nangoFailure, notTheApi } from './nango-errors.ts';
import { askNango, type NangoRequest } from './nango-request.ts';
import { type NangoServer, type NangoServerSettings, nangoServer } from './nango-server.ts';

/** A page on which a person connects an account. Whoever has the link can use it: show it to that person only. */
export interface ConnectSession {
  readonly token: string;
  readonly connectLink: string;
  /** ISO 8601; half an hour after it was made. */
  readonly expiresAt: string;
}

export interface ConnectSessionRequest {
  readonly endUser: {
    readonly id: string;
    readonly email?: string;
    readonly displayName?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  /** Nango's integration ids that the person may choose from. */
  readonly allowedIntegrations: readonly string[];
}

export interface ImportRequest {
  readonly integration: string;
  readonly connection: string;
  /** The end user that the connection must have been made for; another's is as good as none. */
  readonly endUser?: string;
}

/** A connection that Nango has, and the reference to keep of it. */
export interface ImportedConnection {
  readonly credentials: { readonly nango: NangoCredential };
  readonly provider: string;
  /** `OAUTH2`, `API_KEY`, `BASIC`, … */
  readonly type: string;
  readonly config: ConnectionConfig;
  /** Our word for the data centre that `config.extension` names. */
  readonly region?: string;
  readonly endUser?: string;
}

/** What making connections takes; calls do not need it. All reject with ToolcribError. */
export interface NangoConnect {
  createConnectSession(request: ConnectSessionRequest, signal: AbortSignal): Promise<ConnectSession>;
  createReconnectSession(
    connection: { readonly connection: string; readonly integration: string },
    signal: AbortSignal,
  ): Promise<ConnectSession>;
  importConnection(request: ImportRequest, signal: AbortSignal): Promise<ImportedConnection>;
  /** Whether Nango has it and made it for one of these end users. Rejects where Nango cannot be asked. */
  isConnectionOf(
    endUsers: readonly string[],
    nango: Pick<NangoCredential, 'integration' | 'connection'>,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export interface NangoConnectOptions {
  readonly egress: Egress;
  /** The operator's, never a record's: they decide where the secret key goes. */
  readonly nango?: NangoServerSettings;
  /** Configuration key of those settings, for errors. */
  readonly place?: string;
  readonly env?: Environment;
  readonly now?: () => number;
  /** Learns the secret key. */
  readonly announce?: (secret: string) => void;
}

export function createNangoConnect({
  egress,
  nango = {},
  place = 'nango',
  env = process.env,
  now = Date.now,
  announce = () => {},
}: NangoConnectOptions): NangoConnect {
  const secrets = createSecretReader(env, announce);
  const server = (signal: AbortSignal) => nangoServer(nango, place, secrets, signal);
  const find = async (integration: string, id: string, signal: AbortSignal) =>
    fetchConnection(egress, await server(signal), { id, integration }, signal, now);
  return {
    async createConnectSession({ endUser, allowedIntegrations }, signal) {
      const { id, email, displayName, tags } = endUser;
      const body = {
        end_user: {
          id,
          ...(email === undefined ? {} : { email }),
          ...(displayName === undefined ? {} : { display_name: displayName }),
          ...(tags === undefined ? {} : { tags: { ...tags } }),
        },
        allowed_integrations: [...allowedIntegrations],
      };
      const what = `integration ${allowedIntegrations.join(', ')}`;
      return openSession(egress, await server(signal), '/connect/sessions', body, what, signal, now);
    },
    createReconnectSession: async (connection, signal) =>
      openReconnectSession(egress, await server(signal), connection, signal, now),
    async importConnection({ integration, connection, endUser }, signal) {
      const found = await find(integration, connection, signal);
      if (endUser !== undefined && found.endUser !== endUser) {
        throw new ToolcribError(
          'connection_missing',
          `Nango has no connection ${connection} of integration ${integration} that was made for ${endUser}.`,
        );
      }
      const { provider, type, config } = found;
      const region = regionOfExtension(config.extension);
      return {
        credentials: { nango: { integration, connection } },
        provider,
        type,
        config,
        ...(region === undefined ? {} : { region }),
        ...(found.endUser === undefined ? {} : { endUser: found.endUser }),
      };
    },
    async isConnectionOf(endUsers, { integration, connection }, signal) {
      if (connection === undefined) return false;
      try {
        const { endUser } = await find(integration, connection, signal);
        return endUser !== undefined && endUsers.includes(endUser);
      } catch (error) {
        if (isToolcribError(error) && error.code === 'connection_missing') return false;
        throw error;
      }
    },
  };
}

/** The page on which the owner connects a lapsed account again; the connection keeps its id. */
export function openReconnectSession(
  egress: Egress,
  server: NangoServer,
  { connection, integration }: { readonly connection: string; readonly integration: string },
  signal: AbortSignal,
  now: () => number,
): Promise<ConnectSession> {
  const body = { connection_id: connection, integration_id: integration };
  const what = `connection ${connection} of integration ${integration}`;
  return openSession(egress, server, '/connect/sessions/reconnect', body, what, signal, now);
}

const SESSION_SCOPE = 'environment:connect_sessions:write';

async function openSession(
  egress: Egress,
  server: NangoServer,
  path: string,
  body: JsonObject,
  what: string,
  signal: AbortSignal,
  now: () => number,
): Promise<ConnectSession> {
  const request: NangoRequest = { method: 'POST', path, body };
  const answer = await askNango(egress, server, request, signal);
  const data = answer.json?.['data'];
  if (answer.status !== 201 && answer.status !== 200) {
    throw nangoFailure(answer, server, { what, path: `POST ${path}`, scope: SESSION_SCOPE }, now());
  }
  const { token, connect_link: link, expires_at: expiresAt } = (data ?? {}) as JsonObject;
  if (typeof token !== 'string' || typeof link !== 'string' || !isWebLink(link)) {
    throw new ToolcribError('upstream_failed', 'Nango opened a connect session without a usable link.', {
      next: notTheApi(server),
    });
  }
  return { token, connectLink: link, expiresAt: typeof expiresAt === 'string' ? expiresAt : '' };
}

/** A link is shown to people and opened: nothing but a page. */
function isWebLink(link: string): boolean {
  return /^https?:$/.test(URL.parse(link)?.protocol ?? '');
}
