import { asToolcribError, ERRORS, type ErrorCode, type ToolcribError } from '../errors.ts';
import type { CallError, CompletedResult, ContentBlock, Json, JsonObject } from '../operations/index.ts';
import type { ProxyAnswer, ProxyRequest } from './proxy-types.ts';

/** A request that is answered without asking the provider. Messages are the proxy's contract with its callers. */
export interface Refusal {
  readonly status: 400 | 403;
  readonly code: ErrorCode;
  readonly message: string;
}

const refusal = (status: 400 | 403, code: ErrorCode, message: string): Refusal => ({ status, code, message });

/** What a category is called in a sentence: `ATS`, `CRM`, `email`. */
function named(category: string): string {
  return category.length <= 3 ? category.toUpperCase() : category;
}

export const REFUSALS = Object.freeze({
  invalidJson: refusal(400, 'ATS_INVALID_REQUEST', 'Invalid JSON body'),
  missingFields: refusal(400, 'ATS_INVALID_REQUEST', 'Missing required fields: provider, method, path'),
  invalidMember: (name: string, rule: string) =>
    refusal(400, 'ATS_INVALID_REQUEST', `Invalid field: ${name} must be ${rule}`),
  actingUser: refusal(
    400,
    'ATS_INVALID_REQUEST',
    'Invalid field: query must not say who acts: that is whom the caller is mapped to',
  ),
  unsupportedProvider: (provider: string) =>
    refusal(400, 'ATS_INVALID_REQUEST', `Unsupported provider: ${provider.slice(0, 100)}`),
  notConnected: (category: string) =>
    refusal(400, 'INTEGRATION_NOT_CONNECTED', `No ${named(category)} integration connected`),
  noOrganisation: refusal(403, 'organisation_missing', 'User must belong to an organization'),
  accessDisabled: (category: string) =>
    refusal(403, 'tool_forbidden', `${named(category)} access is disabled or not connected`),
  readOnly: (category: string) =>
    refusal(403, 'tool_forbidden', `You have read-only access to the ${named(category)}`),
  endpoint: refusal(403, 'path_blocked', 'Access to this endpoint is not allowed'),
});

export function refused({ status, code, message }: Refusal): ProxyAnswer {
  return { status, body: { error: { message, code } } };
}

/** Which of the proxy's own codes stands for an error of the router. */
const CODES: Partial<Record<ErrorCode, ErrorCode>> = {
  deadline_exceeded: 'ATS_TIMEOUT',
  outcome_unknown: 'ATS_TIMEOUT',
  upstream_unreachable: 'NETWORK_ERROR',
  upstream_failed: 'NETWORK_ERROR',
  connection_suspended: 'NETWORK_ERROR',
  credentials_missing: 'ATS_AUTH_FAILED',
  credentials_refused: 'ATS_AUTH_FAILED',
  reconnect_required: 'ATS_AUTH_FAILED',
  rate_limited: 'ATS_RATE_LIMITED',
  overloaded: 'ATS_RATE_LIMITED',
  connection_missing: 'INTEGRATION_NOT_CONNECTED',
  arguments_invalid: 'ATS_INVALID_REQUEST',
  request_invalid: 'ATS_INVALID_REQUEST',
};

/** The caller's own standing, and what a person decides: told as it is, with the registry's status. */
const KEPT: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'organisation_missing',
  'acting_user_missing',
  'store_unavailable',
  'cancelled',
  'body_too_large',
  'approval_required',
  'approval_rejected',
  'approval_expired',
  'approval_void',
  'budget_exceeded',
]);

/** A fault on the way to the provider: 502 and one of the proxy's codes. Foreign errors lose their text. */
export function faultAnswer(thrown: unknown): ProxyAnswer {
  const error = asToolcribError(thrown);
  return errorAnswer(error.code, error.message, error);
}

function errorAnswer(code: ErrorCode, message: string, details?: ToolcribError | CallError): ProxyAnswer {
  const own = KEPT.has(code) ? code : (CODES[code] ?? 'UNKNOWN_ERROR');
  const { link, approval } = details?.details ?? {};
  return {
    status: ERRORS[own].status,
    body: {
      error: {
        message,
        code: own,
        ...(typeof link === 'string' ? { link } : {}),
        ...(typeof approval === 'string' ? { approval } : {}),
      },
    },
  };
}

/** A finished call as the proxy's answer. A provider's own refusal keeps its status. */
export function answerOf(
  result: CompletedResult,
  request: ProxyRequest,
  provider: string,
  durationMs: number,
): ProxyAnswer {
  const { error } = result;
  if (error === undefined || isAnswered(error)) {
    const meta = { provider, method: request.method, path: request.path, durationMs };
    return { status: 200, body: { data: dataOf(result), meta } };
  }
  if (error.code === 'upstream_status' && error.status !== undefined) return providerAnswer(error, result);
  return errorAnswer(error.code, error.message, error);
}

/** A write of which the provider says in its answer that it was not done: what it says is passed on. */
function isAnswered({ code, status = 0 }: CallError): boolean {
  return code === 'upstream_status' && status >= 200 && status < 300;
}

/** A redirect is no answer for our caller: it names the provider's status and comes as 502. */
function providerAnswer({ status, details }: CallError, { content }: CompletedResult): ProxyAnswer {
  const data = details?.['body'] ?? stored(content) ?? null;
  return {
    status: status! >= 400 && status! <= 599 ? status! : 502,
    body: { error: { message: `Provider returned ${status}`, status: status!, data } },
  };
}

/** The provider's JSON or text; what is neither was stored and is referred to. */
function dataOf({ structured, outputApplies, content }: CompletedResult): Json {
  const data = (structured as JsonObject | undefined)?.['result'];
  if (outputApplies !== false && data !== undefined) return data;
  return stored(content) ?? null;
}

function stored(content: readonly ContentBlock[]): Json | undefined {
  const link = content.find((block) => block.type === 'resource_link');
  if (link === undefined) return undefined;
  const { uri, name, mimeType, size } = link;
  return {
    artifact: uri,
    name,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(size === undefined ? {} : { size }),
  };
}
