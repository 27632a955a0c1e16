import { ToolcribError } from '../../errors.ts';
import type { PromptRead, ResourceRead } from '../../gateway-core.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { decodeUtf8 } from '../../results/decode-text.ts';
import type { SkillRoom } from '../../skills/room.ts';
import { withoutFrontMatter } from '../../sources/skill/matter-lines.ts';
import { mimeTypeOf, parseSkillUri } from '../../sources/skill/resources.ts';

/**
 * A file of a skill as an MCP resource: text where it is UTF-8, else base64. Byte for byte as it lies there: clients
 * compare its digest. Throws `resource_unknown`.
 */
export async function readSkillResource(room: Pick<SkillRoom, 'read'>, uri: string): Promise<ResourceRead> {
  const place = parseSkillUri(uri);
  if (place === undefined)
    throw new ToolcribError('resource_unknown', `There is no resource ${uri.slice(0, 512)}.`, {
      details: { uri },
    });
  const bytes = await room.read(place.skill, place.path);
  const mimeType = mimeTypeOf(place.path);
  const text = decodeUtf8(bytes);
  return {
    kind: 'resource',
    uri,
    contents: {
      mimeType,
      ...(text === undefined ? { blob: Buffer.from(bytes).toString('base64') } : { text }),
    },
  };
}

/** Id of the skill that an address names; empty for none. */
export function skillIn(uri: string): string {
  return parseSkillUri(uri)?.skill ?? '';
}

export function unknownPrompt(name: string): ToolcribError {
  return new ToolcribError('prompt_unknown', `There is no prompt ${name.slice(0, 128)}.`);
}

/** A skill's instructions as an MCP prompt, without what a reader cannot see. Throws `prompt_unknown`. */
export async function getSkillPrompt(room: Pick<SkillRoom, 'read' | 'get'>, id: string): Promise<PromptRead> {
  const skill = room.get(id);
  if (skill === undefined) throw unknownPrompt(id);
  const { text } = cleanText(withoutFrontMatter(decodeUtf8(await room.read(id, 'SKILL.md')) ?? ''));
  return {
    kind: 'prompt',
    description: skill.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
