export { applyAccessRules, reviewAccessRules } from './access-rules.ts';
export { refuse } from './explain.ts';
export { matchesSelector, reviewSelectors } from './selector.ts';
export type { SourceAccess } from './source-access.ts';
