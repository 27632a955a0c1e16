export type * from './configuration.ts';
export { CONFIGURATION_FILES, DEFAULTS } from './defaults.ts';
export { absolutePath, defaultStateDirectory, type Environment, homeDirectory } from './directories.ts';
export { configurationForDocuments, type DocumentOptions, sourceName } from './for-documents.ts';
export { findConfiguration, type LoadOptions, loadConfiguration } from './load.ts';
export { didYouMean, nearestName } from './nearest-name.ts';
export type { ConfigurationOverrides, CredentialOverride } from './overrides.ts';
export { type ConfigurationContext, parseConfiguration } from './parse.ts';
export { isLoopbackHost, requireTokenBeyondLoopback } from './server-address.ts';
