import type { Factor, PolicyFacts } from './factor.ts';
import { listed, namesOf } from './names.ts';

/** Whoever owns the process or shows its token is no user, and nobody can give it a role. */
const OWNER_WITHOUT = ' (the owner of the process holds none)';

/**
 * Whether tools of skills are there, and for this caller: `policy.skills.enabled` and `.roles`. What a source of skills
 * has to read, their texts, is for the same roles, and stays where the tools are switched off.
 */
export const SKILL_FACTOR: Factor = Object.freeze<Factor>({
  check: 'skill',
  applies: ({ operation, grant }) => grant?.skills !== undefined || isBySkill(operation),
  passes: ({ operation, grants, grant }) => {
    const gate = grant?.skills;
    if (gate === undefined || (gate.enabled !== true && isBySkill(operation))) return false;
    return gate.roles === undefined || namesOf(gate.roles).some((role) => grants.roles.includes(role));
  },
  value: ({ grants, grant }) => {
    const gate = grant?.skills;
    if (gate === undefined) return 'nothing is said of skills';
    if (!gate.enabled) return 'switched off';
    if (gate.roles === undefined) return 'on, for everybody';
    const owner = grants.roles.length === 0 && grants.principal.kind !== 'user' ? OWNER_WITHOUT : '';
    return `on, with the roles ${listed(grants.roles)}${owner}`;
  },
  needed: ({ grant }) => {
    const { roles } = grant?.skills ?? {};
    if (roles === undefined) return 'switched on';
    const names = namesOf(roles);
    return `switched on, and ${names.length === 1 ? 'the role' : 'one of the roles'} ${listed(names)}`;
  },
  change: ({ grant }) =>
    grant?.skills?.enabled === true
      ? 'An admin gives the user one of the roles, or the operator names others in policy.skills.roles.'
      : 'The operator: policy.skills.enabled, or DYNAMIC_SKILL_TOOLS_ENABLED in the environment.',
});

/** Facts say it of themselves, operations by what carries them out. */
function isBySkill({ skill, invocation }: PolicyFacts): boolean {
  return skill !== undefined || invocation?.kind === 'script' || invocation?.kind === 'template';
}
