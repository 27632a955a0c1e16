import type { AzureSettings } from '../../../src/operations/index.ts';

/** Settings of a source with their defaults. */
export function azureSettings(given: Partial<AzureSettings> = {}): AzureSettings {
  return {
    subscription: '0aa1',
    resourceGroup: 'rg-office',
    location: 'westus',
    authentication: 'envvar',
    armEndpoint: 'https://management.azure.com',
    scope: 'https://management.azure.com/.default',
    includeDeprecated: true,
    dynamicValues: 'explain',
    pages: 10,
    refreshMs: 300_000,
    consentRedirectUrl: 'http://localhost:8080',
    ...given,
  };
}
