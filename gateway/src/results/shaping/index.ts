export { findRows } from './find-rows.ts';
export { SHAPED_OUTPUT_SCHEMA } from './output-schema.ts';
export { createShaping, type Shaping } from './shaped-calls.ts';
export type { ShapingOptions } from './shaping-options.ts';
