import { decodeText, type EgressResponse } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import { retryAfterMs } from '../operations/http/retry-after.ts';
import { type AzureSettings, isObject } from '../operations/index.ts';
import { cleanText } from '../operations/text/clean-text.ts';

const MAX_MESSAGE = 1_000;

/** What a request was for, for people. */
export interface ArmPurpose {
  /** Ends "Azure Resource Manager answered 403 to …", e.g. `list the connections`. */
  readonly what: string;
  /** The RBAC action that it needs, e.g. `Microsoft.Web/connections/read`. */
  readonly action?: string;
}

/** Code and message of an error envelope of Azure Resource Manager, or of the connector runtime behind it. */
export function armEnvelope(response: EgressResponse): { readonly code?: string; readonly message?: string } {
  let body: unknown;
  try {
    body = JSON.parse(decodeText(response.body, response.headers['content-type']));
  } catch {
    return {};
  }
  if (!isObject(body)) return {};
  const error = isObject(body['error']) ? body['error'] : body;
  const code = textOf(error['code']) ?? textOf(error['statusCode']);
  const message = textOf(error['message']);
  return { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
}

/** An answer outside 2xx as `upstream_status`; `details` has ARM's code and request id. */
export function armError(
  response: EgressResponse,
  purpose: ArmPurpose,
  settings: AzureSettings,
  now = Date.now(),
): ToolcribError {
  const { status, headers } = response;
  const { code, message } = armEnvelope(response);
  const requestId = textOf(headers['x-ms-request-id'] ?? headers['x-ms-correlation-request-id'], 80);
  const waitMs = retryAfterMs(headers, now);
  const said = [
    `Azure Resource Manager answered ${status}${code === undefined ? '' : ` ${code}`} to "${purpose.what}"`,
    ...(message === undefined ? [] : [`: ${message.replace(/(?<!\s)\s*(?:\.\s*)?$/, '')}`]),
    ...(requestId === undefined ? [] : [` (request ${requestId})`]),
  ].join('');
  return new ToolcribError('upstream_status', `${said}.`, {
    status,
    next: nextStep(status, code, purpose, settings, waitMs),
    details: {
      ...(code === undefined ? {} : { armCode: code }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) }),
    },
  });
}

function nextStep(
  status: number,
  code: string | undefined,
  { action }: ArmPurpose,
  { subscription, resourceGroup, location }: AzureSettings,
  waitMs: number | undefined,
): string {
  switch (code) {
    case 'AuthorizationFailed':
    case 'LinkedAuthorizationFailed':
      return action === undefined
        ? `Ask for a role in resource group ${resourceGroup} that allows this.`
        : `Ask for a role in resource group ${resourceGroup} that allows ${action}, Contributor for instance; a new role takes some minutes.`;
    case 'SubscriptionNotFound':
    case 'InvalidSubscriptionId':
      return `Check the subscription ${subscription}, and that the account signed in belongs to its tenant.`;
    case 'ResourceGroupNotFound':
      return `Check the name of the resource group ${resourceGroup}, or create it.`;
    case 'ExpiredAuthenticationToken':
    case 'InvalidAuthenticationToken':
    case 'InvalidAuthenticationTokenTenant':
      return 'Sign in again: the token is expired, or made for another tenant or service.';
    case 'ResourceNotFound':
      return 'Check the name: `list_connections` and `list_managed_apis` show what is there.';
    case 'ApiNotFound':
    case 'ManagedApiNotFound':
      return 'Check the name of the API: `list_managed_apis` shows those of the region.';
    case 'LocationNotAvailableForResourceType':
    case 'InvalidResourceLocation':
      return `Check the region: the source reads managed APIs of ${location}; \`location\` names another one.`;
    case 'MissingSubscriptionRegistration':
      return `Register the resource provider Microsoft.Web in subscription ${subscription}.`;
  }
  if (status === 429) {
    const when = waitMs === undefined ? 'in a minute' : `in ${Math.ceil(waitMs / 1000)} seconds`;
    return `Azure's limit of requests is used up for now; call again ${when}.`;
  }
  if (status === 401) return 'Sign in again: Azure does not accept the token.';
  if (status === 403) return 'Check the roles of the account that is signed in.';
  if (status >= 500) return 'Call again later; the status page of Azure tells of outages.';
  return 'Read the answer of Azure and correct the call.';
}

function textOf(value: unknown, maxLength = MAX_MESSAGE): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return cleanText(value, { maxLength }).text.trim();
}
