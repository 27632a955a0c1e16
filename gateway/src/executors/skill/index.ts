export type { Attempt, AttemptContext, AttemptOutcome, FailedAttempt } from './attempt.ts';
export {
  createDegradedTools,
  DEGRADED_MARK,
  type DegradedTool,
  type DegradedTools,
  type DegradedToolsOptions,
} from './degraded-tools.ts';
export { createSkillExecutor, type SkillAttempts, type SkillExecutorOptions } from './skill-executor.ts';
export type { SkillPackages, SkillParts, SkillSecrets } from './skill-parts.ts';
export { declaredName, templateContext } from './template-context.ts';
