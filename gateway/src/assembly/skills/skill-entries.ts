import type { GrantSource, Json, Principal } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import type { McpSkill, McpSkills } from '../../server/mcp/skills-extension.ts';
import { isHiddenFile } from '../../sources/skill/package-files.ts';
import { mimeTypeOf, skillUri } from '../../sources/skill/resources.ts';
import { readableSkills } from './readable-skills.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';
import type { Selections } from './skill-selection.ts';

/**
 * Skills for the MCP extension (SEP-2640): those that a principal may have, of the sources that it may read. The extension wants front
 * matter as it is written: where that holds what a reader cannot see, the skill is a resource and a prompt only.
 */
export function createSkillEntries(
  rooms: Pick<SkillRooms, 'freshen' | 'list'>,
  grants: Pick<GrantSource, 'fresh'>,
  mayRead: Selections['mayRead'],
): McpSkills {
  const list = async (principal: Principal): Promise<readonly McpSkill[]> => {
    const skills = await readableSkills(rooms, grants, mayRead, principal);
    const entries = skills.flatMap((skill) => entryOf(skill) ?? []);
    return entries.sort((one, other) => (one.uri < other.uri ? -1 : 1));
  };
  return {
    list,
    get: async (uri, principal) => (await list(principal)).find((entry) => entry.uri === uri),
  };
}

const ENTRIES = new WeakMap<SkillOfSource, McpSkill>();

function entryOf(skill: SkillOfSource): McpSkill | undefined {
  let entry = ENTRIES.get(skill);
  if (entry === undefined) {
    const { id, files, frontMatter } = skill;
    const { name, description } = frontMatter;
    if (name !== id || typeof description !== 'string' || !isPlain(frontMatter)) return undefined;
    entry = {
      uri: skillUri(id, 'SKILL.md'),
      frontmatter: { ...frontMatter, name, description },
      files: files
        .filter(({ path }) => !isHiddenFile(path))
        .map(({ path, sha256, bytes }) => ({
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

function isPlain(value: Json): boolean {
  if (typeof value === 'string') return cleanText(value).text === value;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isPlain(key) && isPlain(member as Json));
}
