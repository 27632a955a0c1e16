export type * from './access/access-records.ts';
export {
  type Authenticator,
  createAuthenticator,
  type ReferredUser,
} from './authentication/authenticator.ts';
export { createKeyUses } from './authentication/key-uses.ts';
export type { SignInSettings } from './authentication/sign-in-tokens.ts';
export { type Bootstrapped, bootstrap } from './directory/bootstrap.ts';
export { createDirectory } from './directory/create-directory.ts';
export type * from './directory/directory.ts';
export type * from './directory/records.ts';
export { createKnownOrganisations } from './grants/known-organisations.ts';
export { createStoredGrants } from './grants/stored-grants.ts';
export { createMemorySessions } from './sessions/memory-sessions.ts';
export type * from './sessions/session-record.ts';
export { createStoreSessions } from './sessions/store-sessions.ts';
