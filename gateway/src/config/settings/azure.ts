import type { AzureAuthentication, AzureSettings } from '../../operations/index.ts';
import type { SourceConfiguration } from '../configuration.ts';
import type { Environment } from '../directories.ts';
import { milliseconds } from '../measures.ts';
import type { AzureEntry } from '../schema/azure.ts';

const PUBLIC_ENDPOINT = 'https://management.azure.com';

/** Sign-in services of the sovereign clouds, by the origin of their Azure Resource Manager. */
const SOVEREIGN: Readonly<Record<string, string>> = Object.freeze({
  'https://management.usgovcloudapi.net': 'https://login.microsoftonline.us',
  'https://management.chinacloudapi.cn': 'https://login.chinacloudapi.cn',
});

const AZURE_DEFAULTS = Object.freeze({
  location: 'westus',
  dynamicValues: 'explain' as const,
  pages: 10,
  refreshMs: 5 * 60_000,
  consentRedirectUrl: 'http://localhost:8080',
});

/** One entry with defaults filled in; the environment decides how to sign in where nobody said. */
export function azureSettings(entry: AzureEntry, env: Environment): AzureSettings {
  const armEndpoint = originOf(entry.armEndpoint ?? PUBLIC_ENDPOINT);
  const sovereign = SOVEREIGN[armEndpoint];
  const authorityHost = entry.authorityHost === undefined ? sovereign : originOf(entry.authorityHost);
  const { subscription, resourceGroup, tenant, maxToolsPerApi, connections, refresh } = entry;
  return {
    subscription,
    resourceGroup,
    location: (entry.location ?? AZURE_DEFAULTS.location).toLowerCase().replaceAll(' ', ''),
    authentication: entry.authentication ?? defaultAuthentication(env),
    ...(tenant === undefined ? {} : { tenant }),
    armEndpoint,
    scope: entry.scope ?? `${sovereign === undefined ? PUBLIC_ENDPOINT : armEndpoint}/.default`,
    ...(authorityHost === undefined ? {} : { authorityHost }),
    includeDeprecated: entry.includeDeprecated ?? true,
    ...(maxToolsPerApi === undefined ? {} : { maxToolsPerApi }),
    ...(connections === undefined ? {} : { connections: [...new Set(connections)].sort() }),
    dynamicValues: entry.dynamicValues ?? AZURE_DEFAULTS.dynamicValues,
    pages: entry.pages ?? AZURE_DEFAULTS.pages,
    refreshMs:
      refresh === undefined ? AZURE_DEFAULTS.refreshMs : refresh === false ? 0 : milliseconds(refresh),
    consentRedirectUrl: entry.consentRedirectUrl ?? AZURE_DEFAULTS.consentRedirectUrl,
  };
}

/** Undefined for a source of another kind. */
export function azureOf({ kind, settings }: SourceConfiguration): AzureSettings | undefined {
  return kind === 'azure' ? (settings as AzureSettings) : undefined;
}

/** What the operator named and the egress door therefore lets through; where a person's browser goes is none of it. */
export function azureDestinations({ armEndpoint, authorityHost }: AzureSettings): string[] {
  return authorityHost === undefined ? [armEndpoint] : [armEndpoint, authorityHost];
}

/** A codespace has no browser of its own, but an Azure CLI that can be signed in. */
function defaultAuthentication(env: Environment): AzureAuthentication {
  return env['CODESPACES'] === 'true' ? 'azcli' : 'interactive';
}

function originOf(url: string): string {
  return new URL(url).origin;
}
