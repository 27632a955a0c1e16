import type { SkillPolicy } from '../operations/index.ts';
import { matchesTextGlob } from '../operations/text/text-glob.ts';

/** Which skill counts for a caller. */
export interface EffectiveSkill {
  /** Absent: none. */
  readonly skill?: string;
  /** In one sentence. */
  readonly reason: string;
  /** It was asked for, and is not the one. */
  readonly refused?: {
    readonly skill: string;
    readonly code: 'skill_unknown' | 'skill_forbidden';
    readonly reason: string;
  };
}

/** What choosing needs of the policy. */
export type SkillChoice = Pick<SkillPolicy, 'defaults' | 'permitted'>;

/**
 * The skill that was asked for where there is one and it is permitted, else the default of the first role that has one
 * that exists, else none. Only ids of skills decide: which tools a skill brings, and what became of them, does not.
 * @param roles held by the caller, in their order
 */
export function effectiveSkill(
  requested: string | undefined,
  roles: readonly string[],
  policy: SkillChoice,
  exists: (skill: string) => boolean,
): EffectiveSkill {
  if (requested === undefined || requested === '') return defaultSkill(roles, policy, exists, '');
  if (!exists(requested)) {
    const reason = 'there is no such skill';
    const other = defaultSkill(roles, policy, exists, `The skill asked for is not taken: ${reason}. `);
    return { ...other, refused: { skill: requested, code: 'skill_unknown', reason } };
  }
  if (!maySelect(requested, roles, policy)) {
    const reason = `no role of the caller may ask for it (${roles.join(', ')})`;
    const other = defaultSkill(roles, policy, exists, `The skill asked for is not taken: ${reason}. `);
    return { ...other, refused: { skill: requested, code: 'skill_forbidden', reason } };
  }
  return { skill: requested, reason: 'It was asked for.' };
}

/** The seed's form: the effective skill's id, or undefined. */
export type ResolveEffectiveSkill = (
  requested: string | undefined,
  role?: string | readonly string[],
) => string | undefined;

/** `resolveEffectiveSkill(requested, role)` over a policy and the skills that there are, both as they are at each call. */
export function createSkillSelection(
  policy: () => SkillChoice,
  exists: (skill: string) => boolean,
): ResolveEffectiveSkill {
  return (requested, role = []) =>
    effectiveSkill(requested, typeof role === 'string' ? [role] : role, policy(), exists).skill;
}

/**
 * Whose skills' tools are visible: those of the effective skill alone; without one those of all that the caller may ask
 * for, or of none.
 */
export function visibleSkills(
  { visible, permitted }: Pick<SkillPolicy, 'visible' | 'permitted'>,
  effective: string | undefined,
  roles: readonly string[],
): (skill: string) => boolean {
  if (effective !== undefined) return (skill) => skill === effective;
  return (skill) => visible === 'all' && maySelect(skill, roles, { permitted });
}

/**
 * Whether a caller may ask for a skill, and has its tools where those of all are there. A role that is not named may ask
 * for any; so may who holds no role at all.
 */
export function maySelect(
  skill: string,
  roles: readonly string[],
  { permitted }: Pick<SkillChoice, 'permitted'>,
): boolean {
  if (roles.length === 0) return true;
  return roles.some(
    (role) =>
      !Object.hasOwn(permitted, role) || permitted[role]!.some((pattern) => matchesTextGlob(skill, pattern)),
  );
}

function defaultSkill(
  roles: readonly string[],
  { defaults }: SkillChoice,
  exists: (skill: string) => boolean,
  before: string,
): EffectiveSkill {
  for (const role of roles) {
    const skill = Object.hasOwn(defaults, role) ? defaults[role] : undefined;
    if (skill !== undefined && exists(skill)) {
      return { skill, reason: `${before}It is the default of the role ${role}.` };
    }
  }
  const why = before === '' ? 'None was asked for, and no role' : 'No role';
  return { reason: `${before}${why} of the caller has a default that exists.` };
}
