export { type CredentialProviderOptions, createCredentialProvider } from './create-credential-provider.ts';
export type { CredentialProvider } from './credential-provider.ts';
export { environmentName } from './secret-reference.ts';
