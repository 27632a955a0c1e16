import { z } from 'zod';
import { text } from './values.ts';

/** What picks operations, wherever the configuration does. */
export const selectorShape = {
  operation: text.optional().describe('Operation id.'),
  tag: text.optional(),
  path: text.optional().describe("A glob over the document's path: * within a segment, ** across."),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/, 'Must be an HTTP method.')
    .optional(),
};
