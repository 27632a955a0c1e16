export type * from './configuration.ts';
export { absolutePath, defaultStateDirectory, type Environment, homeDirectory } from './directories.ts';
export { configurationForDocuments, sourceName } from './for-documents.ts';
export { kindsWith } from './kinds.ts';
export { findConfiguration, type LoadOptions, loadConfiguration } from './load.ts';
export type { ConfigurationOverrides, CredentialOverride } from './overrides.ts';
export { parseConfiguration } from './parse.ts';
export { isLoopbackHost, requireTokenBeyondLoopback } from './server-address.ts';
