import { z } from 'zod';
import { closed, text } from './values.ts';

const names = z.array(text).min(1).max(1000);

/** A feature's name within its source; whole names are `<source>.<feature>`. */
const featureName = z
  .string()
  .regex(
    /^(?!constructor$|prototype$)[a-z][a-z0-9-]{0,47}$/,
    'A feature is a small letter, then small letters, digits or "-".',
  );

const feature = closed({
  tags: names.optional(),
  paths: names.optional().describe("Globs over the document's path: * within a segment, ** across."),
  operations: names.optional().describe('Operation ids.'),
  enabled: z.boolean().optional().describe('Default: true. The store may say otherwise at run time.'),
  description: text.optional(),
}).refine(
  ({ tags, paths, operations }) => [tags, paths, operations].some((part) => part !== undefined),
  'Name at least one of tags, paths, operations.',
);

/** `sources: { ceph: { features: … } }`: groups of operations that can be switched off. */
export const featuresShape = z.record(featureName, feature);
