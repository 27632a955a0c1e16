import type { JsonSchema } from '../operations/index.ts';

/** What the templates of one place may refer to. */
export interface TemplateScope {
  /** Input schema of the tool. */
  readonly args: JsonSchema;
  /** Names below `context`. */
  readonly context: readonly string[];
  /** `{{secrets.NAME}}` may stand here. */
  readonly secrets: boolean;
  /** Absent: any name will do. */
  readonly secretNames?: readonly string[];
}

/** Names that every call has below `context`. */
export const CONTEXT_NAMES: readonly string[] = Object.freeze([
  'skill_id',
  'teacher_id',
  'principal_id',
  'organisation',
  'run_id',
  'call_id',
  'tool_name',
  'skill_dir',
]);
