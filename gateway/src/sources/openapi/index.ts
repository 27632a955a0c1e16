import type { SourceKind } from '../source-kind.ts';
import { openApiConfig } from './config.ts';
import { describeOpenApi } from './describe.ts';
import type { OpenApiConfig } from './options.ts';

/** OpenAPI and Swagger documents, 2.0 to 3.2. */
export const openapi: SourceKind<OpenApiConfig> = {
  kind: 'openapi',
  config: openApiConfig,
  describe: describeOpenApi,
};
