export { applyAccessRules, reviewAccessRules } from './access-rules.ts';
export * from './explain.ts';
export { checkPath } from './path-blocklist.ts';
export { matchesSelector } from './selector.ts';
export { deriveVisibility, explainEntry } from './visibility.ts';
