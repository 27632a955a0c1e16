import type { Call } from '../../operations/index.ts';

/** The tool's name as its manifest has it; the catalog may list it under another. */
export function declaredName({ operation }: Pick<Call, 'operation'>, skill: string): string {
  const { id, name } = operation;
  return id.startsWith(`${skill}/`) ? id.slice(skill.length + 1) : (name ?? id);
}

/**
 * What templates read as `{{context.…}}`. What a call does not have is left out, so that a default stands in for it.
 *
 * @param folder of the frozen package, for scripts: no machine's path goes into a request
 */
export function templateContext(
  call: Call,
  skill: string,
  folder?: string,
): Readonly<Record<string, string>> {
  const { principal, run } = call;
  return {
    skill_id: skill,
    tool_name: declaredName(call, skill),
    teacher_id: principal.id,
    principal_id: principal.id,
    call_id: call.id,
    ...(principal.organisation === undefined ? {} : { organisation: principal.organisation }),
    ...(run === undefined ? {} : { run_id: run }),
    ...(folder === undefined ? {} : { skill_dir: folder }),
  };
}
