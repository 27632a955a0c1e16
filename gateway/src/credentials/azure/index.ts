export {
  type AzureToken,
  type AzureTokens,
  createAzureTokens,
  type OpenAzureTokens,
} from './azure-tokens.ts';
export type { AzureCredential } from './open-credential.ts';
export { type AzureClaims, tokenClaims } from './token-claims.ts';
