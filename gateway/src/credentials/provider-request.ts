import { type Egress, EgressFailure, type EgressResponse, type OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import { isObject, type JsonObject } from '../operations/index.ts';

/** Whole exchange with a token endpoint or discovery document, milliseconds; decoded bytes. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 0 };

export interface ProviderAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, where it is a JSON object. */
  readonly json: JsonObject | undefined;
  readonly body: Uint8Array;
  /** Where the request keeps them. */
  readonly cookies: readonly string[];
}

/** What to do where a request for tokens got no answer: the code or refresh token in it counts once. */
export const AFTER_LOST_GRANT =
  'It may have been taken. Try again; where a code or a refresh token is used up, sign in anew.';

/**
 * One request to an identity provider through the egress door; redirects are not followed. `what` names it in errors,
 * `afterLost` says what to do where one that changes something was sent and not answered.
 */
export async function askProvider(
  egress: Egress,
  request: OutgoingRequest,
  what: string,
  signal: AbortSignal,
  afterLost = 'It may have been taken all the same. Try again.',
): Promise<ProviderAnswer> {
  let response: EgressResponse;
  try {
    response = await egress.request(request, LIMITS, signal);
  } catch (error) {
    throw unanswered(error, { what, afterLost }, request, signal);
  }
  const { status, headers, body, cookies = [] } = response;
  return { status, headers, json: parseObject(body), body, cookies };
}

/** A form as RFC 6749 §4 and RFC 7009 have it; `authorization` where the client shows itself in the header. */
export function formRequest(
  url: string,
  form: URLSearchParams,
  authorization: string | undefined,
): OutgoingRequest {
  return {
    method: 'POST',
    url,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
      ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
    ],
    body: String(form),
    credentialHeaders: ['authorization'],
  };
}

/** Too slow, too busy or not well: nothing that was shown is what is wrong. */
export function isOutOfOrder(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function unanswered(
  error: unknown,
  { what, afterLost }: { readonly what: string; readonly afterLost: string },
  { method }: OutgoingRequest,
  signal: AbortSignal,
): unknown {
  if (signal.aborted || !(error instanceof EgressFailure)) return error;
  const place = { cause: error };
  if (error.kind === 'egress_blocked')
    return new ToolcribError('egress_blocked', `${what}: ${error.message}`, place);
  if (error.kind === 'redirect') {
    return new ToolcribError(
      'credentials_refused',
      `${what}: ${error.message}, which a credential does not follow.`,
      {
        ...place,
        next: 'Configure the address that it leads to, where it is the right one: nothing was sent there.',
      },
    );
  }
  const message = `${what} gave no usable answer: ${error.message}`;
  if (method === 'GET' || error.sent === 'none')
    return new ToolcribError('upstream_unreachable', message, place);
  return new ToolcribError('upstream_unreachable', message, { ...place, next: afterLost });
}

function parseObject(body: Uint8Array): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
