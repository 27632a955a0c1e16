export { type AzureTokens, createAzureTokens } from './azure-tokens.ts';
export type { AzureCredential } from './open-credential.ts';
