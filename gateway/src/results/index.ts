export { normalizeResult } from './normalize-result.ts';
