import { isOfSkill } from '../invocation/invocation.ts';
import { ACCESS_LEVELS } from '../operation.ts';
import { powersOf, type SkillOperation, type SkillPowers } from './skill-policy.ts';

/** What a person agrees to who lets a skill's tools run: that version, and what its tools could do then. */
export interface SkillAgreement {
  /** Id of the skill. */
  readonly skill: string;
  /** `sha256:` of its content. */
  readonly version: string;
  /** Its programs ran in a sandbox. */
  readonly isolated: boolean;
  /** Sorted by operation. */
  readonly tools: readonly SkillPowers[];
}

/** One call in front of an agreement. */
export interface SkillConcern extends Pick<SkillAgreement, 'skill' | 'version' | 'isolated'> {
  /** What the tool that is called can do. */
  readonly own: SkillPowers;
}

/** Undefined for an operation that no skill brought. */
export function concernOf(operation: SkillOperation, isolated: boolean): SkillConcern | undefined {
  const { invocation } = operation;
  const own = powersOf(operation, isolated);
  if (!isOfSkill(invocation) || own === undefined) return undefined;
  return { skill: invocation.skill, version: invocation.version, isolated, own };
}

/** What a person is shown: the tool that is called, and every other one of the same skill in the same version. */
export function agreementOn(concern: SkillConcern, others: readonly SkillOperation[]): SkillAgreement {
  const { skill, version, isolated, own } = concern;
  const tools = new Map([[own.operation, own]]);
  for (const operation of others) {
    const other = concernOf(operation, isolated);
    if (other?.skill !== skill || other.version !== version) continue;
    if (!tools.has(other.own.operation)) tools.set(other.own.operation, other.own);
  }
  const sorted = [...tools.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
  return { skill, version, isolated, tools: sorted };
}

/** Whether a person who agreed saw this tool, in this version, with at least what it can do now. */
export function covers(agreement: SkillAgreement, { skill, version, isolated, own }: SkillConcern): boolean {
  if (agreement.skill !== skill || agreement.version !== version) return false;
  if (agreement.isolated && !isolated) return false;
  const agreed = agreement.tools.find(({ operation }) => operation === own.operation);
  return (
    agreed !== undefined &&
    ACCESS_LEVELS.indexOf(own.access) <= ACCESS_LEVELS.indexOf(agreed.access) &&
    (agreed.network || !own.network) &&
    agreed.program === own.program
  );
}

/** The beginning of a version's hash, as people compare it. */
export function shortVersion(version: string): string {
  return version.replace(/^sha256:/, '').slice(0, 12);
}
