export { compileHelper } from './compile-connector.ts';
export {
  type ConnectorDocument,
  openConnectorDocument,
  type ReadOptions,
  readConnectorDocument,
} from './connector-document.ts';
export type { OperationOwner } from './connector-operation.ts';
export { describeAzure } from './describe.ts';
export { deduplicateByFamily, type FilterFacts, type FilterOptions, filterOperations } from './filters.ts';
export {
  type ParsedBodyProperty,
  type ParsedOperation,
  type ParsedParameter,
  type ParsedRequestBody,
  parseOpenApiSpec,
} from './open-api-parser.ts';
export type { ConnectorSnapshot, SnapshotConnection } from './snapshot.ts';
export { buildToolDescription, buildToolName, UNAUTHENTICATED_MARK } from './tool-names.ts';
export { generateZodSchema, sanitizeKey } from './zod-generator.ts';
