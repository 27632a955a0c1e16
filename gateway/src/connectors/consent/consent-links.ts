import type { AzureTokens } from '../../credentials/azure/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type AzureSettings, isObject } from '../../operations/index.ts';
import { API_VERSION, type ArmClient, armJson } from '../arm-client.ts';
import type { ArmPaths } from '../arm-paths.ts';

const LINKS_VERSION = '2018-07-01-preview';
/** What Azure answers where it does not know the version. */
const UNKNOWN_VERSION: ReadonlySet<unknown> = new Set([
  'InvalidApiVersionParameter',
  'UnsupportedApiVersion',
  'NoRegisteredProviderFound',
]);

export interface ConsentOptions {
  readonly settings: AzureSettings;
  readonly client: ArmClient;
  readonly paths: ArmPaths;
  readonly tokens: AzureTokens;
}

/** For whom a connection is signed in: the account whose token we have. */
export interface Consenting {
  readonly objectId: string;
  readonly tenantId: string;
}

/** Throws `credentials_missing` where the token names no account. */
export async function consentingAccount(
  { settings, tokens }: Pick<ConsentOptions, 'settings' | 'tokens'>,
  signal: AbortSignal,
): Promise<Consenting> {
  const { objectId, tenantId = settings.tenant } = (await tokens.token(signal)).claims();
  if (objectId !== undefined && tenantId !== undefined) return { objectId, tenantId };
  const absent = [
    ...(objectId === undefined ? ['the object id of its account (oid)'] : []),
    ...(tenantId === undefined ? ['its tenant (tid)'] : []),
  ].join(' and ');
  throw new ToolcribError(
    'credentials_missing',
    `A consent link names the account that asks for it, and the Azure token lacks ${absent}.`,
    { next: 'Sign in with an account of Microsoft Entra ID: `az login`, or another `authentication`.' },
  );
}

/** A link by which a person signs the connection in; good for about ten minutes. Throws ToolcribError. */
export async function fetchConsentLink(
  connection: string,
  options: ConsentOptions,
  signal: AbortSignal,
): Promise<string> {
  const { client, paths, settings } = options;
  const account = await consentingAccount(options, signal);
  const purpose = {
    what: `get a consent link for ${connection}`,
    action: 'Microsoft.Web/connections/listConsentLinks/action',
  };
  const request = {
    method: 'POST' as const,
    path: `${paths.connection(connection)}/listConsentLinks`,
    body: {
      parameters: [
        {
          objectId: account.objectId,
          parameterName: 'token',
          redirectUrl: settings.consentRedirectUrl,
          tenantId: account.tenantId,
        },
      ],
    },
  };
  const ask = (apiVersion: string) => client.ask({ ...request, apiVersion }, purpose, signal);
  const answer = await ask(LINKS_VERSION).catch((error: unknown) => {
    if (isToolcribError(error) && UNKNOWN_VERSION.has(error.details?.['armCode'])) return ask(API_VERSION);
    throw error;
  });
  const link = linkOf(armJson(answer, purpose), settings);
  if (link !== undefined) return link;
  throw new ToolcribError(
    'upstream_failed',
    `Azure has no consent link for the connection "${connection}": nobody signs in to its API, or its state does not allow it.`,
  );
}

/** Only what a browser may be sent to: https, or the host that we ask anyway. */
function linkOf(answer: unknown, { armEndpoint }: AzureSettings): string | undefined {
  const links = isObject(answer) && Array.isArray(answer['value']) ? answer['value'] : [];
  for (const entry of links) {
    const link = isObject(entry) ? entry['link'] : undefined;
    const url = typeof link === 'string' ? URL.parse(link) : null;
    if (url === null) continue;
    const own = url.protocol === 'http:' && url.hostname === new URL(armEndpoint).hostname;
    if (url.protocol !== 'https:' && !own) continue;
    // it stands alone on a line of what a caller reads
    return /^[\x21-\x7e]+$/.test(link as string) ? (link as string) : url.href;
  }
  return undefined;
}
