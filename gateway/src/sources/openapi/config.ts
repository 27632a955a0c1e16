import { z } from 'zod';
import type { OpenApiConfig } from './options.ts';

const location = z.string().min(1);

/** A path or URL alone, or with options. */
export const openApiConfig: z.ZodType<OpenApiConfig> = z.union([
  location,
  z.strictObject({
    document: location,
    overlay: z.union([location, z.array(location)]).optional(),
    contentTypes: z.array(z.string().min(1)).optional(),
    includeInternal: z.boolean().optional(),
    includeDeprecated: z.boolean().optional(),
    includeTriggers: z.boolean().optional(),
  }),
]);
