import type { EgressFailure } from '../../egress/index.ts';
import { type ErrorCode, isToolcribError, ToolcribError } from '../../errors.ts';
import type { AzureSettings } from '../../operations/index.ts';
import { messageOf } from '../../operations/text/message-of.ts';
import { printable } from '../../operations/text/printable.ts';
import { redact } from '../../telemetry/redact.ts';

interface SignInContext {
  readonly settings: AzureSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The request that brought no answer, where one did not. */
  readonly failure: EgressFailure | undefined;
}

/** Variables whose values never stand in a message, whoever wrote it. */
const SECRETS = ['AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE_PASSWORD', 'IDENTITY_HEADER', 'MSI_SECRET'];

/** What `@azure/identity` or the Azure CLI complains about, with what to do next. */
export function signInError(error: unknown, context: SignInContext): unknown {
  if (isToolcribError(error)) return error;
  const { settings, env, failure } = context;
  const said = saidBy(error, env);
  if (nameOf(error) === 'AbortError' && failure === undefined) return error;
  switch (settings.authentication) {
    case 'azcli':
      return cliError(said, settings, error);
    case 'env':
      return environmentError(said, context, error);
    default: {
      if (failure !== undefined) return unanswered(failure, error);
      return new ToolcribError('credentials_missing', `Nobody has signed in to Azure: ${explained(said)}`, {
        next: 'Call again and sign in as it says; or choose another authentication.',
        cause: error,
      });
    }
  }
}

/** The sign-in service's words for what a person did (RFC 8628 §3.5). */
function explained(said: string): string {
  if (/authorization_declined|access_denied/.test(said)) return 'it was declined.';
  if (/expired_token|device_code_expired|user_timeout_reached/.test(said)) return 'the code has expired.';
  return said;
}

function cliError(said: string, { tenant }: AzureSettings, cause: unknown): ToolcribError {
  const login = `az login${tenant === undefined ? '' : ` --tenant ${tenant}`}`;
  if (/could not be found/.test(said)) {
    return new ToolcribError('credentials_missing', 'The Azure CLI (az) is not found in PATH.', {
      next: `Install it (https://aka.ms/azure-cli) and sign in: \`${login}\`.`,
      cause,
    });
  }
  const next = `Sign in: \`${login}\`; then call again.`;
  if (/^Please run 'az login'/.test(said)) {
    return new ToolcribError('credentials_missing', 'The Azure CLI is not signed in.', { next, cause });
  }
  const how = /JSON|expiresOn/.test(said) ? 'it did not answer as expected, or not in time' : said;
  return new ToolcribError('credentials_missing', `The Azure CLI gave no token: ${how}`, { next, cause });
}

function environmentError(said: string, { env, failure }: SignInContext, cause: unknown): ToolcribError {
  const isPrincipal = [
    'AZURE_CLIENT_SECRET',
    'AZURE_CLIENT_CERTIFICATE_PATH',
    'AZURE_FEDERATED_TOKEN_FILE',
  ].some((name) => (env[name] ?? '') !== '');
  if (!isPrincipal) {
    return new ToolcribError(
      'credentials_missing',
      `The environment describes no account for Azure, and this machine has no managed identity: ${failure?.message ?? said}`,
      {
        next: 'Set AZURE_TENANT_ID and AZURE_CLIENT_ID with AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH or AZURE_FEDERATED_TOKEN_FILE; or choose another authentication.',
        cause,
      },
    );
  }
  if (failure !== undefined) return unanswered(failure, cause);
  return new ToolcribError('credentials_refused', `Microsoft Entra ID gave no token: ${said}`, {
    next: 'Check AZURE_TENANT_ID, AZURE_CLIENT_ID and the secret, certificate or token file.',
    cause,
  });
}

function unanswered(failure: EgressFailure, cause: unknown): ToolcribError {
  const code: ErrorCode =
    failure.kind === 'egress_blocked'
      ? 'egress_blocked'
      : failure.kind === 'redirect'
        ? 'credentials_refused'
        : 'upstream_unreachable';
  return new ToolcribError(code, `Signing in to Azure: ${failure.message}`, { cause });
}

/** The first line of its message, without secrets and control characters. */
function saidBy(error: unknown, env: SignInContext['env']): string {
  const text = messageOf(error);
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? '';
  const secrets = SECRETS.flatMap((name) => env[name] ?? []).filter((secret) => secret.length >= 4);
  const clean = printable(redact(line, secrets), 400);
  return /[.!?]$/.test(clean) ? clean : `${clean}.`;
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
