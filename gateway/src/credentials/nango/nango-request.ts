import { setTimeout as wait } from 'node:timers/promises';
import { type Egress, EgressFailure, type FailureKind, type OutgoingRequest } from '../../egress/egress.ts';
import { isToolcribError } from '../../errors.ts';
import type { JsonObject } from '../../operations/index.ts';
import { askProvider, type ProviderAnswer } from '../provider-request.ts';
import type { NangoServer } from './nango-server.ts';

/** One request of Nango's API; path segments are encoded already. */
export interface NangoRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

const REPEAT_AFTER_MS = 250;
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);
const SILENT: ReadonlySet<FailureKind> = new Set(['connect_timeout', 'timeout']);

/** Asks once; what only reads is asked a second time when Nango was not there. Resolves for every status. */
export async function askNango(
  egress: Egress,
  server: NangoServer,
  request: NangoRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const what = `Nango at ${server.baseUrl}`;
  const ask = () => askProvider(egress, outgoing(server, request), what, signal);
  if (request.method !== 'GET') return ask();
  try {
    const answer = await ask();
    if (!PASSING.has(answer.status)) return answer;
  } catch (error) {
    if (!isToolcribError(error) || error.code !== 'upstream_unreachable' || signal.aborted) throw error;
    // Who kept silent for so long is not waited for twice: the call's own deadline would end it without a word of Nango.
    if (error.cause instanceof EgressFailure && SILENT.has(error.cause.kind)) throw error;
  }
  await wait(REPEAT_AFTER_MS, undefined, { signal });
  return ask();
}

function outgoing(server: NangoServer, { method, path, query = {}, body }: NangoRequest): OutgoingRequest {
  const search = new URLSearchParams(query).toString();
  return {
    method,
    url: `${server.baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    headers: [
      ['Accept', 'application/json'],
      ['Authorization', `Bearer ${server.secretKey}`],
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentialHeaders: ['authorization'],
  };
}
