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
