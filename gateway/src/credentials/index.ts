export { createCredentialProvider } from './create-credential-provider.ts';
