import type { Configuration } from '../../config/configuration.ts';
import { skillSources } from '../../config/settings/skills.ts';
import { ToolcribError } from '../../errors.ts';
import type { GrantSource, Principal } from '../../operations/index.ts';
import type { GatewaySkills, ListedSkill, SkillDetail } from '../../server/http/admin/gateway-skills.ts';
import type { SkillRoom } from '../../skills/room.ts';
import { readableSkills } from './readable-skills.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';
import type { Selections } from './skill-selection.ts';

export interface GatewaySkillsParts {
  readonly configuration: () => Configuration;
  readonly grants: Pick<GrantSource, 'fresh'>;
  readonly rooms: Pick<SkillRooms, 'freshen' | 'list' | 'room'>;
  readonly mayRead: Selections['mayRead'];
}

/** Skills for the HTTP API; undefined where no source holds any. Imports go to the first such source. */
export function createGatewaySkills({
  configuration,
  grants,
  rooms,
  mayRead,
}: GatewaySkillsParts): GatewaySkills | undefined {
  const [first] = skillSources(configuration());
  if (first === undefined) return undefined;

  const seen = (principal: Principal) => readableSkills(rooms, grants, mayRead, principal);
  const find = async (id: string, principal: Principal): Promise<SkillOfSource> => {
    const skill = (await seen(principal)).find((one) => one.id === id);
    if (skill === undefined)
      throw new ToolcribError('skill_unknown', `There is no skill ${id.slice(0, 64)}.`);
    return skill;
  };
  const roomOf = async (id: string, principal: Principal): Promise<SkillRoom> =>
    rooms.room((await find(id, principal)).source);

  return {
    list: async (principal) => (await seen(principal)).map(listed),
    get: async (id, principal) => detail(await find(id, principal), principal),
    import: async (source, options, signal) => (await rooms.room(first)).import(source, options, signal),
    remove: async (id, principal) => (await roomOf(id, principal)).remove(id),
    versions: async (id, principal) => (await roomOf(id, principal)).versions(id),
    restore: async (id, version, principal) => (await roomOf(id, principal)).restore(id, version),
  };
}

function listed(skill: SkillOfSource): ListedSkill {
  const { id, source, description, version, tools, invalid, shadowed, stale, overrides } = skill;
  return {
    id,
    source,
    description,
    version,
    tools: tools.map(({ name }) => name),
    invalid,
    shadowed,
    ...(stale === undefined ? {} : { stale: stale.message }),
    overridden: overrides.length,
  };
}

function detail(skill: SkillOfSource, { kind }: Principal): SkillDetail {
  const { license, compatibility, files, findings, folder } = skill;
  return {
    ...listed(skill),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    findings: findings.map(({ message }) => message),
    // users of a team have no business with the machine's folders
    ...(kind === 'user' ? {} : { folder }),
  };
}
