export { applyAccessRules, reviewAccessRules } from './access-rules.ts';
export { refuse } from './explain.ts';
export { matchesSelector } from './selector.ts';
export type { SourceAccess } from './source-access.ts';
