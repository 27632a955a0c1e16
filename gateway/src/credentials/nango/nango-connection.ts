import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { type NangoConnection, readConnection } from './nango-credential.ts';
import { nangoFailure, notTheApi } from './nango-errors.ts';
import { askNango } from './nango-request.ts';
import type { NangoServer } from './nango-server.ts';

export interface ConnectionQuestion {
  /** Nango's connection id. */
  readonly id: string;
  readonly integration: string;
  /** Nango is to refresh the token even if it looks good: the provider refused it. */
  readonly forceRefresh?: boolean;
}

/**
 * The connection with its credential as it is now. Never asks for refresh tokens. Throws `connection_missing`,
 * `reconnect_required`, `credentials_refused`, `rate_limited` (with `retryAfterSeconds`), `upstream_unreachable`.
 */
export async function fetchConnection(
  egress: Egress,
  server: NangoServer,
  { id, integration, forceRefresh = false }: ConnectionQuestion,
  signal: AbortSignal,
  now: () => number,
): Promise<NangoConnection> {
  const resource = server.route === 'deprecated' ? 'connection' : 'connections';
  const what = `connection ${id} of integration ${integration}`;
  const answer = await askNango(
    egress,
    server,
    {
      method: 'GET',
      path: `/${resource}/${encodeURIComponent(id)}`,
      query: { provider_config_key: integration, ...(forceRefresh ? { force_refresh: 'true' } : {}) },
    },
    signal,
  );
  if (answer.status !== 200) {
    throw nangoFailure(answer, server, { what, path: `GET /${resource}/{id}` }, now());
  }
  if (answer.json === undefined) {
    const type = printable(answer.headers['content-type'] ?? 'no type', 100);
    throw new ToolcribError(
      'upstream_failed',
      `Nango at ${server.baseUrl} answered with no JSON (${type}) for ${what}.`,
      { next: notTheApi(server) },
    );
  }
  return readConnection(answer.json, what);
}
