export type * from './configuration.ts';
export { absolutePath, defaultStateDirectory, type Environment, homeDirectory } from './directories.ts';
export { configuredFeatures } from './features.ts';
export { configurationForAzure } from './for-azure.ts';
export { configurationForDocuments, sourceName } from './for-documents.ts';
export { configurationForPreset } from './for-preset.ts';
export { kindsWith } from './kinds.ts';
export { findConfiguration, type LoadOptions, loadConfiguration } from './load.ts';
export type { ConfigurationOverrides, CredentialOverride } from './overrides.ts';
export { parseConfiguration } from './parse.ts';
export type { AzureEntry } from './schema/azure.ts';
export {
  isLoopbackHost,
  localAddress,
  requireTokenBeyondLoopback,
  type ServerAddress,
} from './server-address.ts';
export { topologiesWith } from './topology.ts';
