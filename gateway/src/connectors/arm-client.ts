import { randomUUID } from 'node:crypto';
import type { AzureTokens } from '../credentials/azure/index.ts';
import { createEchoes } from '../credentials/echoes.ts';
import { decodeText, type Egress, type EgressLimits, type EgressResponse } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import type { ArmRequest } from '../executors/azure/connector-room.ts';
import { encodeStrict } from '../executors/http/percent-encoding.ts';
import { withRetry } from '../executors/http/retry.ts';
import { includesCredentials } from '../operations/http/includes-credentials.ts';
import type { AzureSettings, Connection } from '../operations/index.ts';
import { type ArmPurpose, armError } from './arm-errors.ts';
import type { Clock } from './clock.ts';
import { createThrottle } from './throttle.ts';

export const API_VERSION = '2016-06-01';

export const ARM_LIMITS: EgressLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024, maxRedirects: 0 };

/** Waits between attempts; a longer Retry-After ends them. */
export const ARM_RETRY = { maxAttempts: 3, baseDelayMs: 1_000, maxDelayMs: 20_000 };

export interface ArmClientOptions {
  readonly settings: AzureSettings;
  readonly egress: Egress;
  readonly tokens: AzureTokens;
  readonly clock: Clock;
  userAgent(): string;
  /** Default ARM_RETRY. */
  readonly retry?: typeof ARM_RETRY;
}

/** Requests to Azure Resource Manager. The token goes nowhere else, and comes back in no answer. */
export interface ArmClient {
  url(request: ArmRequest): string;
  /** Once, with one more try where the token was refused; resolves for every status. */
  send(request: ArmRequest, limits: EgressLimits, signal: AbortSignal): Promise<EgressResponse>;
  /**
   * Sends as often as the method allows, a write only where nothing was carried out. Resolves for 2xx, and for the
   * statuses in `also`; throws ToolcribError otherwise.
   */
  ask(
    request: ArmRequest,
    purpose: ArmPurpose,
    signal: AbortSignal,
    options?: { readonly maxBytes?: number; readonly also?: readonly number[] },
  ): Promise<EgressResponse>;
  /** The same for the address of another page, which must be one of the ARM endpoint. Throws `upstream_failed`. */
  follow(
    nextLink: string,
    purpose: ArmPurpose,
    signal: AbortSignal,
    maxBytes?: number,
  ): Promise<EgressResponse>;
  /** Milliseconds that background requests should wait. */
  restMs(): number;
}

/** Echoes keep what the configuration sends with an account; there is none here. */
const NO_ACCOUNT = {} as Connection;

export function createArmClient(options: ArmClientOptions): ArmClient {
  const { settings, egress, tokens, clock, userAgent, retry = ARM_RETRY } = options;
  const origin = new URL(settings.armEndpoint).origin;
  const echoes = createEchoes();
  const throttle = createThrottle(clock);

  const urlOf = ({ path, apiVersion = API_VERSION, query = {} }: ArmRequest): string => {
    if (!path.startsWith('/') || path.startsWith('//'))
      throw new TypeError('An ARM path begins with one slash.');
    const members = [['api-version', apiVersion], ...Object.entries(query)];
    return `${origin}${path}?${members.map(([name, value]) => `${encodeStrict(name!)}=${encodeStrict(value!)}`).join('&')}`;
  };

  const sendTo = async (
    url: string,
    { method, body }: Pick<ArmRequest, 'method' | 'body'>,
    limits: EgressLimits,
    signal: AbortSignal,
  ): Promise<EgressResponse> => {
    for (let again = true; ; again = false) {
      const { value } = await tokens.token(signal);
      const request = {
        method,
        url,
        headers: [
          ['Authorization', `Bearer ${value}`],
          ['Accept', 'application/json'],
          ['User-Agent', userAgent()],
          ['x-ms-client-request-id', randomUUID()],
          ['x-ms-correlation-request-id', randomUUID()],
          ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ] as const,
        credentialHeaders: ['authorization'],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      echoes.remember(request, [value]);
      const response = echoes.concealAnswer(
        await egress.request(request, limits, signal),
        request,
        NO_ACCOUNT,
      );
      throttle.saw(response);
      // RFC 9110 §15.5.2: a 401 of ARM itself was not carried out, so that a write may go again.
      if (response.status !== 401 || !again || !isArmRefusal(response) || !tokens.refused(value))
        return response;
    }
  };

  const askAt = async (
    url: string,
    request: Pick<ArmRequest, 'method' | 'body'>,
    purpose: ArmPurpose,
    signal: AbortSignal,
    { maxBytes, also = [] }: { readonly maxBytes?: number; readonly also?: readonly number[] } = {},
  ): Promise<EgressResponse> => {
    const limits = maxBytes === undefined ? ARM_LIMITS : { ...ARM_LIMITS, maxBytes };
    const started = performance.now();
    const left = () => Math.max(1, limits.timeoutMs - (performance.now() - started));
    const { response, outcome } = await withRetry(
      () => sendTo(url, request, { ...limits, timeoutMs: left() }, signal),
      // a PUT that came through would be created twice over, with another consent: only refusals are repeated
      request.method === 'GET' ? { method: 'GET' } : { method: request.method, idempotent: false },
      { ...retry, deadlineMs: limits.timeoutMs },
      signal,
    );
    const { status } = response;
    if ((status >= 200 && status < 300) || also.includes(status)) return response;
    const error = armError(response, purpose, settings, clock.now());
    if (outcome !== 'unknown_outcome') throw error;
    throw new ToolcribError('outcome_unknown', error.message, {
      status,
      details: { ...error.details, outcome },
    });
  };

  return {
    url: urlOf,
    send: (request, limits, signal) => sendTo(urlOf(request), request, limits, signal),
    ask: (request, purpose, signal, more) => askAt(urlOf(request), request, purpose, signal, more),
    async follow(nextLink, purpose, signal, maxBytes) {
      const url = URL.parse(nextLink);
      if (url?.origin !== origin || includesCredentials(url)) {
        throw new ToolcribError(
          'upstream_failed',
          `Azure names a next page of "${purpose.what}" that is not at ${origin}: it is not followed.`,
        );
      }
      return askAt(url.href, { method: 'GET' }, purpose, signal, maxBytes === undefined ? {} : { maxBytes });
    },
    restMs: throttle.restMs,
  };
}

/** Connectors' own refusals come through ARM too, and another token would not help them. */
function isArmRefusal({ headers, body, url }: EgressResponse): boolean {
  if (headers['www-authenticate'] !== undefined || !url.includes('/dynamicInvoke')) return true;
  return /"(?:Expired|Invalid)AuthenticationToken\w*"/.test(Buffer.from(body).toString('latin1'));
}

/** The JSON of an answer. Throws `upstream_failed`. */
export function armJson(response: EgressResponse, { what }: ArmPurpose): unknown {
  try {
    return JSON.parse(decodeText(response.body, response.headers['content-type']));
  } catch (cause) {
    throw new ToolcribError('upstream_failed', `Azure's answer to "${what}" is no JSON.`, {
      status: response.status,
      cause,
    });
  }
}
