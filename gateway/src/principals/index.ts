export { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';
export { type BootstrapOptions, type Bootstrapped, bootstrap } from './bootstrap.ts';
export { createDirectory } from './create-directory.ts';
export type * from './directory.ts';
export type * from './records.ts';
export type { FetchKeys, SignInSettings } from './sign-in-tokens.ts';
export { createStoredGrants, type StoredGrantsOptions } from './stored-grants.ts';
