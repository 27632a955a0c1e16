export { applyAccessRules, reviewAccessRules } from './access-rules.ts';
export { effectiveLevel } from './effective-access.ts';
export { explain, type Refusal, refusal, refuse } from './explain.ts';
export { explainTool } from './explain-tool.ts';
export { localGrants } from './local-grants.ts';
export { matchesSelector } from './selector.ts';
export type { SourceAccess } from './source-access.ts';
