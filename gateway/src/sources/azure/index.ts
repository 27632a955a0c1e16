export { compileHelper } from './compile-connector.ts';
export { openConnectorDocument, readConnectorDocument } from './connector-document.ts';
export { describeAzure } from './describe.ts';
export { deduplicateByFamily, type FilterFacts, filterOperations } from './filters.ts';
export { parseOpenApiSpec } from './open-api-parser.ts';
export { buildToolDescription, buildToolName } from './tool-names.ts';
export { generateZodSchema, sanitizeKey } from './zod-generator.ts';
