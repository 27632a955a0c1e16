export { applyAccessRules, reviewAccessRules } from './access-rules.ts';
export { explain, refusal } from './explain.ts';
export { matchesSelector } from './selector.ts';
