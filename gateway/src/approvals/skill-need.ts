import { ToolcribError } from '../errors.ts';
import {
  agreementOn,
  concernOf,
  judgeSkillCall,
  type Operation,
  type SkillPolicy,
  shortVersion,
} from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import type { ApprovalNeed } from './policy.ts';

const SKILL_NAME_LENGTH = 64;

/**
 * What a person is asked for where a skill brought the tool: the need that there is already, with the skill's reasons,
 * as often as that one asks; else an agreement to the skill. Nothing that was agreed to about a skill covers another need.
 * Throws `sandbox_unavailable`, `skill_forbidden` where the mode refuses the call whoever agrees.
 * @param need of the call without regard to skills, taint included
 * @param isolated bubblewrap is in force for programs of skills
 * @param tools every operation of the same skill; read only when a person is asked
 */
export function skillNeed(
  need: ApprovalNeed | undefined,
  operation: Operation,
  policy: Pick<SkillPolicy, 'mode' | 'programs'>,
  isolated: boolean,
  tools: () => readonly Operation[] = () => [operation],
): ApprovalNeed | undefined {
  const concern = concernOf(operation, isolated);
  if (concern === undefined) return need;
  const verdict = judgeSkillCall(policy, operation, isolated);
  if (verdict.kind === 'run') return need;
  const name = printable(concern.skill, SKILL_NAME_LENGTH);
  if (verdict.kind === 'refuse') {
    throw new ToolcribError(verdict.code, `The skill ${name} brought this tool. ${verdict.reason}`);
  }
  const why = `The skill ${name} (${shortVersion(concern.version)}) brought this tool. ${verdict.reasons.join(' ')}`;
  return {
    reason: need === undefined ? why : `${need.reason} ${why}`,
    standing: need === undefined ? 'skill' : need.standing,
    skill: { ...concern, agreement: () => agreementOn(concern, tools()) },
  };
}
