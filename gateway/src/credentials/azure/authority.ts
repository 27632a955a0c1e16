import type { AzureSettings } from '../../operations/index.ts';
import type { IdentityDoor } from './identity-door.ts';

/** Sign-in services that the library knows; any other one is not asked to vouch for itself at Microsoft's. */
const KNOWN = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.chinacloudapi.cn',
  'login.partner.microsoftonline.cn',
]);

/** Options that every credential takes that talks to Microsoft Entra ID. */
export function authorityOptions(
  { tenant, authorityHost }: AzureSettings,
  env: Readonly<Record<string, string | undefined>>,
  { httpClient }: IdentityDoor,
) {
  const named = authorityHost ?? env['AZURE_AUTHORITY_HOST'];
  const host = named === undefined ? undefined : URL.parse(named)?.hostname;
  return {
    httpClient,
    // a service that is busy is asked once more; the next call asks again
    retryOptions: { maxRetries: 1, retryDelayInMs: 300, maxRetryDelayInMs: 3000 },
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    ...(named === undefined || named === '' ? {} : { authorityHost: named }),
    ...(host === undefined || KNOWN.has(host) ? {} : { disableInstanceDiscovery: true }),
  };
}
