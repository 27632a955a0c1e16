import { z } from 'zod';
import { sentHeaderName } from '../../operations/http/header-shapes.ts';
import { secretShape } from '../secret-shape.ts';
import type { OpenApiConfig } from './options.ts';
import { isHttp } from './read/location.ts';

const location = z.string().min(1);
const extension = z.string().regex(/^x-[\w.-]{1,100}$/, "An extension's name begins with x-.");

/** A path or URL alone, or with options. */
export const openApiConfig: z.ZodType<OpenApiConfig> = z.union([
  location,
  z
    .strictObject({
      document: location,
      headers: z.record(sentHeaderName, secretShape).optional(),
      overlay: z.union([location, z.array(location)]).optional(),
      contentTypes: z.array(z.string().min(1)).optional(),
      includeInternal: z.boolean().optional(),
      includeDeprecated: z.boolean().optional(),
      includeTriggers: z.boolean().optional(),
      hints: z
        .union([location, z.strictObject({ file: location.optional(), extension: extension.optional() })])
        .optional(),
      permissions: z
        .strictObject({
          enabled: z.boolean(),
          extension: extension.optional(),
          scopes: z.boolean().optional(),
        })
        .optional(),
    })
    .refine(
      ({ document, headers }) => headers === undefined || isHttp(document),
      'Only an address is shown headers, and the document is none.',
    ),
]);
