export { type CompilePattern, compileFilter, filterGrammar, type RowFilter } from './filter.ts';
export { findRows } from './find-rows.ts';
export { queryStored } from './query-stored.ts';
export { shapeAnswer } from './shape.ts';
export { createShaping, type Shaping } from './shaped-calls.ts';
export { DEFAULT_OUTPUT_LIMITS, type OutputLimits, SHAPED_OUTPUT_SCHEMA } from './shaped-output.ts';
export type { ShapingContext } from './shaping-context.ts';
export type { Reader, ShapingOptions } from './shaping-options.ts';
export { decodeStoredAnswer, STORED_ANSWER_TYPE, type StoredAnswer } from './stored-answer.ts';
