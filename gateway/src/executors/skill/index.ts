export type { Attempt, AttemptContext, AttemptOutcome, FailedAttempt } from './attempt.ts';
export { createDegradedTools, DEGRADED_MARK } from './degraded-tools.ts';
export { createSkillExecutor, type SkillExecutorOptions } from './skill-executor.ts';
