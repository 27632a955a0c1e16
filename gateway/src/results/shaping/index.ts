export { findRows } from './find-rows.ts';
export { createShaping, type Shaping } from './shaped-calls.ts';
export { SHAPED_OUTPUT_SCHEMA } from './shaped-output.ts';
export type { ShapingOptions } from './shaping-options.ts';
