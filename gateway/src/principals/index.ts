export { createAuthenticator } from './authenticator.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { createDirectory } from './create-directory.ts';
export type * from './directory.ts';
export { createKnownOrganisations } from './known-organisations.ts';
export type * from './records.ts';
export type { SignInSettings } from './sign-in-tokens.ts';
export { createStoredGrants } from './stored-grants.ts';
