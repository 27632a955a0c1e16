import { z } from 'zod';
import { closed, text } from './values.ts';

/** `sources: { ceph: { hints: … } }`, for sources of kind openapi. */
export const hintsShape = z.union([
  text.describe('A YAML or JSON file of hints, by operation id or METHOD /path; laid over the document.'),
  closed({
    file: text.optional().describe('As the text alone.'),
    extension: z
      .string()
      .regex(/^x-[\w.-]{1,100}$/, "An extension's name begins with x-.")
      .optional()
      .describe('Where operations of the document have their hints. Default: x-llm-hints.'),
  }).refine(
    (hints) => Object.values(hints).some((part) => part !== undefined),
    'Name a file or an extension.',
  ),
]);
