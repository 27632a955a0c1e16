export type { ResultLimits } from './answer-content.ts';
export { normalizeResult } from './normalize-result.ts';
