import { skillSources } from '../../config/settings/skills.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { Chat, GrantSource, Principal } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import type { GatewaySkills } from '../../server/http/admin/gateway-skills.ts';
import type { McpSkills } from '../../server/mcp/skills-extension.ts';
import { lazily } from '../lazily.ts';
import type { FoundTools } from '../listing/found-tools.ts';
import { createSkillRooms, type SkillRooms, type SkillRoomsParts } from './skill-rooms.ts';
import { createSkillSelections, type Selections } from './skill-selection.ts';

export interface SkillSideParts extends SkillRoomsParts {
  readonly grants: GrantSource;
  readonly chosen: Pick<FoundTools, 'chosenSkill' | 'chooseSkill'>;
  readonly gateway: () => Pick<Gateway, 'view' | 'call'>;
}

/** All that a gateway has of skills: the rooms, who works with which, what its HTTP API and its chat loop ask. */
export interface SkillSide {
  readonly rooms: SkillRooms;
  readonly selections: Selections;
  /** One whose files are as they lie there now. */
  freshRoom(source: string): ReturnType<SkillRooms['room']>;
  skills(): Promise<GatewaySkills | undefined>;
  /**
   * Why a caller cannot have the skill that it asks for: the same of one that is not there and of one that is not for the
   * caller. Undefined: it can, or what there is is not known yet.
   */
  fault(principal: Principal, skill: string): Promise<string | undefined>;
  /** For the MCP extension; undefined where no source holds skills. */
  entries(): McpSkills | undefined;
  /** The source that has the skill of a `skill://` address which is not listed: a file that is no text. */
  sourceOf(uri: string): string | undefined;
  chat(): Promise<Chat>;
}

export function createSkillSide(parts: SkillSideParts): SkillSide {
  const rooms = createSkillRooms(parts);
  const selections = createSkillSelections({
    ...parts,
    skills: rooms.list,
    read: async (source, skill, path) => (await rooms.room(source)).read(skill, path),
  });
  const opened = lazily(async () => {
    const { createSkillEntries } = await import('./skill-entries.ts');
    return createSkillEntries(rooms, parts.grants, selections.mayRead);
  });
  const entries: McpSkills = {
    list: async (principal) => (await opened()).list(principal),
    get: async (uri, principal) => (await opened()).get(uri, principal),
  };
  return {
    rooms,
    selections,
    async freshRoom(source) {
      const room = await rooms.room(source);
      await room.freshen();
      return room;
    },
    async skills() {
      const { createGatewaySkills } = await import('./gateway-skills.ts');
      return createGatewaySkills({ ...parts, rooms, mayRead: selections.mayRead });
    },
    async fault(principal, skill) {
      if (!rooms.complete() || selections.isOpen(principal, skill)) return undefined;
      await rooms.freshen();
      if (selections.isOpen(principal, skill)) return undefined;
      return `There is no skill "${printable(skill, 64)}" that this caller may work with.`;
    },
    entries: () => (skillSources(parts.configuration()).length === 0 ? undefined : entries),
    sourceOf(uri) {
      const [, id] = /^skill:\/\/([^/]+)\//.exec(uri) ?? [];
      return rooms.list().find((skill) => skill.id === id)?.source;
    },
    chat: lazily(async () => {
      const { openChat } = await import('./open-chat.ts');
      return openChat({ ...parts, gateway: parts.gateway(), rooms, selections });
    }),
  };
}
