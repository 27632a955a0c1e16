import { type ChatTool, createChat } from '../../chat/index.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { Chat, ClientFacts, GrantSource, PublishedTool } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { withoutFrontMatter } from '../../sources/skill/matter-lines.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { ReadSecret } from '../compiling/source-reader.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';
import type { Selections } from './skill-selection.ts';
import { isToolOfSkill } from './tool-of-skill.ts';

export interface ChatParts {
  readonly configuration: () => Configuration;
  readonly gateway: Pick<Gateway, 'view' | 'call'>;
  readonly egress: Egress;
  readonly grants: GrantSource;
  readonly rooms: Pick<SkillRooms, 'freshen' | 'freshenSkill' | 'list' | 'room'>;
  readonly selections: Pick<Selections, 'effective'>;
  readonly readSecret: ReadSecret;
}

/** The chat loop over this gateway: lists, calls and skills are those that any client of the principal has. */
export function openChat(parts: ChatParts): Chat {
  const { configuration, gateway, egress, grants, rooms, selections, readSecret } = parts;
  return createChat({
    configuration: () => configuration().chat,
    egress,
    async apiKey() {
      const key = configuration().chat?.apiKey;
      return key === undefined ? undefined : readSecret(key, 'chat.apiKey', AbortSignal.timeout(10_000));
    },
    async effectiveSkill(requested, principal, session) {
      await rooms.freshen();
      const held = await grants.fresh(principal);
      const { skill, reason } = selections.effective(held, clientOf(requested, session));
      if (skill !== undefined) await rooms.freshenSkill(skill);
      const readable = readableSources(held);
      const known = rooms.list().find(({ id, source }) => id === skill && readable(source));
      if (known === undefined) return { reason };
      return { skill: known.id, reason, body: await bodyOf(known, rooms) };
    },
    async tools(principal, skill, session) {
      const { tools } = gateway.view(principal, clientOf(skill, session));
      return {
        static: tools.filter((tool) => !isToolOfSkill(tool)).map(shown),
        dynamic: tools.filter(isToolOfSkill).map(shown),
      };
    },
    call: ({ skill, ...request }) => gateway.call({ ...request, client: clientOf(skill, request.run) }),
  });
}

/** A session is a conversation of its own, whose choice of a skill concerns no other. */
function clientOf(skill: string | undefined, session: string): ClientFacts {
  return { name: 'toolcrib chat', session, ...(skill === undefined ? {} : { skill }) };
}

async function bodyOf({ source, id }: SkillOfSource, rooms: Pick<SkillRooms, 'room'>): Promise<string> {
  const bytes = await (await rooms.room(source)).read(id, 'SKILL.md');
  return cleanText(withoutFrontMatter(Buffer.from(bytes).toString('utf8'))).text;
}

function shown({ tool: { name, description, inputSchema, annotations } }: PublishedTool): ChatTool {
  return { name, description, inputSchema, readOnly: annotations.readOnlyHint };
}
