export { runScript } from './run-script.ts';
export { createScriptAttempt, type ScriptAttemptParts } from './script-attempt.ts';
export type { ScriptClass, ScriptIsolation, ScriptOutcome, ScriptRun } from './script-run.ts';
