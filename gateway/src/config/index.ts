export { configurationForAzure } from './command-line/for-azure.ts';
export { configurationForDocuments, sourceName } from './command-line/for-documents.ts';
export { configurationForPreset } from './command-line/for-preset.ts';
export type { ConfigurationOverrides, CredentialOverride } from './command-line/overrides.ts';
export type * from './configuration.ts';
export { absolutePath, defaultStateDirectory, type Environment, homeDirectory } from './directories.ts';
export { kindsWith } from './kinds.ts';
export { findConfiguration, type LoadOptions, loadConfiguration } from './load.ts';
export { parseConfiguration } from './parse.ts';
export type { AzureEntry } from './schema/azure.ts';
export {
  isLoopbackHost,
  localAddress,
  requireTokenBeyondLoopback,
  type ServerAddress,
} from './server-address.ts';
export { configuredFeatures } from './settings/features.ts';
export { topologiesWith } from './settings/topology.ts';
