export { runScript } from './run-script.ts';
export { createScriptAttempt, createScriptReady, type ScriptAttemptParts } from './script-attempt.ts';
export type { ScriptClass, ScriptIsolation, ScriptOutcome, ScriptRun } from './script-run.ts';
