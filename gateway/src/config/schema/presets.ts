import { z } from 'zod';
import { closed } from './values.ts';

/** A preset's file: parts of a configuration, merged beneath what the operator writes. */
export const presetShape = closed({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'A preset has small letters, digits or "-".'),
  description: z.string().min(1).optional(),
  source: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Keys of a source in toolcrib.yaml; its own win.'),
  topology: z.record(z.string(), z.unknown()).optional().describe('Keys of topology in toolcrib.yaml.'),
});
