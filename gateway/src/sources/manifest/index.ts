import type { SourceKind } from '../source-kind.ts';
import { type ManifestConfig, manifestConfig } from './config.ts';
import { describeManifest } from './describe.ts';

/** Providers described by a YAML file, shipped or of one's own. */
export const manifest: SourceKind<ManifestConfig> = {
  kind: 'manifest',
  config: manifestConfig,
  describe: describeManifest,
};

export { filterOperationsByAccess, getToolSummary, type ToolSummary } from './access-filter.ts';
export { defineManifest } from './define.ts';
export { describeManifestValue } from './describe.ts';
export { type GeneratedTool, generateToolsFromManifest } from './generate-tools.ts';
export type {
  AccessLevel,
  HttpMethod,
  OperationAccess,
  ParameterDef,
  ProviderManifest,
  ProviderOperation,
} from './manifest.ts';
export { getManifest, manifests } from './manifests.ts';
export {
  type ProxyClient,
  type ProxyRequest,
  registerGeneratedTools,
  type ToolServer,
} from './register-tools.ts';
export { type CategorizedParams, categorizeParams, interpolatePath } from './request-parts.ts';
