import type { GrantSource, Principal } from '../../operations/index.ts';
import type { McpSkill, McpSkills } from '../../server/mcp/skills-extension.ts';
import { mimeTypeOf, skillUri } from '../../sources/skill/index.ts';
import { readableSources } from '../readable-sources.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';

/** Skills for the MCP extension (SEP-2640): those of the sources that a principal may read. */
export function createSkillEntries(
  rooms: Pick<SkillRooms, 'freshen' | 'list'>,
  grants: Pick<GrantSource, 'fresh'>,
): McpSkills {
  const list = async (principal: Principal): Promise<readonly McpSkill[]> => {
    await rooms.freshen();
    const readable = readableSources(await grants.fresh(principal));
    const entries = rooms
      .list()
      .filter(({ source }) => readable(source))
      .map(entryOf);
    return entries.sort((one, other) => (one.uri < other.uri ? -1 : 1));
  };
  return {
    list,
    get: async (uri, principal) => (await list(principal)).find((entry) => entry.uri === uri),
  };
}

const ENTRIES = new WeakMap<SkillOfSource, McpSkill>();

function entryOf(skill: SkillOfSource): McpSkill {
  let entry = ENTRIES.get(skill);
  if (entry === undefined) {
    const { id, description, files, frontMatter } = skill;
    entry = {
      uri: skillUri(id, 'SKILL.md'),
      frontmatter: { ...frontMatter, name: id, description },
      files: files.map(({ path, sha256, bytes }) => ({
        uri: skillUri(id, path),
        digest: `sha256:${sha256}`,
        size: bytes,
        mimeType: mimeTypeOf(path),
      })),
    };
    ENTRIES.set(skill, entry);
  }
  return entry;
}
