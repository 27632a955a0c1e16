export type { AzureCredential } from './azure-credential.ts';
export type { AzureTokens } from './azure-tokens.ts';
export { createAzureTokens } from './create-azure-tokens.ts';
