import type { SourceContext, SourceKind } from '../source-kind.ts';
import { openApiConfig } from './config.ts';
import { describeOpenApi } from './describe.ts';
import { type OpenApiConfig, resolveOptions } from './options.ts';
import { localPath } from './read/location.ts';

export { describeOpenApi } from './describe.ts';
export type { OpenApiConfig, OpenApiSettings } from './options.ts';

/** OpenAPI and Swagger documents, 2.0 to 3.2. */
export const openapi: SourceKind<OpenApiConfig> = {
  kind: 'openapi',
  config: openApiConfig,
  describe: describeOpenApi,
  watched(config, context: SourceContext) {
    const { document, overlays } = resolveOptions(config);
    return [document, ...overlays].flatMap((name) => localPath(name, context.baseDirectory) ?? []);
  },
};
