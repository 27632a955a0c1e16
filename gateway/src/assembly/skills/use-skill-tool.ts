import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Grants, JsonObject } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { decodeUtf8 } from '../../results/decode-text.ts';
import { PEOPLE_ALONE, withoutFrontMatter } from '../../sources/skill/matter-lines.ts';
import { isHiddenFile } from '../../sources/skill/package-files.ts';
import { objectSchema, ownTool } from '../../topology/calling/own-tool.ts';
import type { OwnAnswer, ToolContext, TopologyTool } from '../../topology/topology.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { SkillOfSource } from './skill-rooms.ts';

export const USE_SKILL = 'use_skill';

/** Skills that the tool's own description names, and characters that it says of each. */
const MOST_NAMED = 12;
const NAMED_LENGTH = 90;
/** Skills of one page of the list. */
const PAGE = 50;
/** Characters of one file that are answered; the rest by `offset`. */
const MOST_CHARACTERS = 60_000;

export interface UseSkillParts {
  readonly catalog: Catalog;
  readonly grants: Grants;
  readonly skills: () => readonly SkillOfSource[];
  /** Whether the caller may work with a skill; there are no others for it. */
  readonly mayHave: (skill: string) => boolean;
  readonly read: (source: string, skill: string, path: string) => Promise<Uint8Array>;
}

/** Lists skills, reads their instructions and files, and has the tools of one listed. */
export function useSkillTool(parts: UseSkillParts): TopologyTool | undefined {
  const readable = readableSources(parts.grants);
  const skills = () => parts.skills().filter(({ source, id }) => readable(source) && parts.mayHave(id));
  const offered = () => skills().filter((skill) => !isForPeople(skill));
  if (offered().length === 0) return undefined;
  return ownTool({
    name: USE_SKILL,
    operations: [],
    define: () => ({
      description: `Reads a skill's instructions and makes its tools the ones you have; call it before a task that a skill is for. Without skill it lists all; path reads another file of the skill. ${named(offered())}`,
      inputSchema: objectSchema({
        skill: { type: 'string', description: 'Name; "none" ends the selection.' },
        path: { type: 'string', description: 'A file of the skill.' },
        offset: { type: 'integer', minimum: 0 },
      }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    }),
    resolve: (args, context) => answer({ ...parts, skills }, args, context),
  });
}

/** As clients that know the key take it: somebody asks for the skill, by its prompt, and no model begins it. */
function isForPeople({ frontMatter }: SkillOfSource): boolean {
  return String(frontMatter[PEOPLE_ALONE]) === 'true';
}

function named(skills: readonly SkillOfSource[]): string {
  const some = skills
    .slice(0, MOST_NAMED)
    .map(({ id, description }) => `${id}: ${trimEndOf(cutText(description, NAMED_LENGTH), '.…')}`);
  const more = skills.length - some.length;
  return `Skills: ${some.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

async function answer(
  parts: UseSkillParts,
  { skill: asked, path, offset }: JsonObject,
  context: ToolContext,
): Promise<OwnAnswer> {
  const from = typeof offset === 'number' ? offset : 0;
  const offered = parts.skills().filter((skill) => !isForPeople(skill));
  if (typeof asked !== 'string' || asked === '') return listed(offered, from);
  if (asked === 'none') {
    const still = await context.selectSkill?.(undefined);
    const text =
      still === undefined
        ? 'No skill is selected any more.'
        : `The choice is forgotten; ${otherwise(still)}.`;
    return { kind: 'answer', text };
  }
  const skill = parts.skills().find(({ id }) => id === asked);
  if (skill === undefined)
    throw new ToolcribError(
      'skill_unknown',
      `There is no skill ${asked.slice(0, 64)}.${didYouMean(
        asked,
        offered.map(({ id }) => id),
      )}`,
    );
  if (isForPeople(skill))
    throw new ToolcribError(
      'skill_forbidden',
      `The skill ${skill.id} is for people to begin: its SKILL.md says ${PEOPLE_ALONE}.`,
      { next: `A person takes the prompt ${skill.id}.` },
    );
  if (typeof path === 'string') return { kind: 'answer', text: await textOf(parts, skill, path, from) };
  const counts = (await context.selectSkill?.(skill.id)) ?? skill.id;
  const page = await textOf(parts, skill, 'SKILL.md', from);
  const body = from === 0 ? withoutFrontMatter(page) : page;
  const tools = parts.catalog.entries
    .filter(({ source, facts }) => source === skill.source && facts.skill === skill.id)
    .map(({ name, tool }) => `- ${name}: ${cutText(tool.description, 200)}`);
  const files = skill.files
    .map((file) => file.path)
    .filter((file) => file !== 'SKILL.md' && !isHiddenFile(file));
  return {
    kind: 'answer',
    text: [
      body,
      tools.length === 0
        ? ''
        : `Tools of this skill, ${counts === skill.id ? 'listed from now on' : `not listed: ${otherwise(counts)}`}:\n${tools.join('\n')}`,
      files.length === 0 ? '' : `Its files, for path: ${cleanText(cutText(files.join(', '), 2000)).text}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
}

/** Why another skill counts than was chosen. */
function otherwise(skill: string): string {
  return `the skill ${skill} stays selected, by the address of the client or by a role`;
}

function listed(skills: readonly SkillOfSource[], from: number): OwnAnswer {
  const page = skills.slice(from, from + PAGE);
  const lines = page.map(({ id, description, tools }) => {
    const count = tools.length === 0 ? '' : ` (${tools.length} ${tools.length === 1 ? 'tool' : 'tools'})`;
    return `- ${id}${count}: ${cutText(description, 300)}`;
  });
  const next = from + PAGE < skills.length ? [`More: offset ${from + PAGE}.`] : [];
  return {
    kind: 'answer',
    text: [...lines, ...next].join('\n') || 'There are no more skills.',
    structured: {
      skills: page.map(({ id, description, tools }) => ({ name: id, description, tools: tools.length })),
    },
  };
}

async function textOf(
  parts: UseSkillParts,
  { source, id }: SkillOfSource,
  path: string,
  from: number,
): Promise<string> {
  const text = decodeUtf8(await parts.read(source, id, path));
  if (text === undefined)
    throw new ToolcribError('resource_unknown', `${path} of the skill ${id} is no text.`, {
      next: 'Its tools read it; or fetch it as a resource.',
    });
  const rest = text.length - from - MOST_CHARACTERS;
  // a stranger's text, however it is read: what nobody sees, no model reads
  const page = cleanText(text.slice(from, from + MOST_CHARACTERS)).text;
  return rest > 0 ? `${page}\n…[${rest} more characters: offset ${from + MOST_CHARACTERS}]` : page;
}
