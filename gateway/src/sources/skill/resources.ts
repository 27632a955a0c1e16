import { fileTypeOf } from '../../operations/http/file-type.ts';
import type { ResourceDescription } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { READABLE_BYTES } from './limits.ts';
import { isHiddenFile, SKILL_FILE } from './package-files.ts';
import type { CompiledSkill } from './snapshot.ts';

const SCHEME = 'skill://';

/** Files of which a model can read nothing. */
const NO_TEXT =
  /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|octet-stream|zip|gzip|x-tar|msword|vnd\..*)$)/;

/** By the extension; `text/plain` for licences and readme files without one, else `application/octet-stream`. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:licen[cs]e|notice|readme|changelog|authors)$/i.test(name)) return 'text/plain';
  return fileTypeOf(name) ?? 'application/octet-stream';
}

/** `skill://<id>/<path>`, encoded as the skills extension of MCP does (SEP-2640). */
export function skillUri(skill: string, path: string): string {
  return `${SCHEME}${encodeURIComponent(skill)}/${path.split('/').map(encodeSegment).join('/')}`;
}

/** Undefined for what is no address of a file of a skill. */
export function parseSkillUri(uri: string): { readonly skill: string; readonly path: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  try {
    const [skill = '', ...segments] = uri.slice(SCHEME.length).split('/').map(decodeURIComponent);
    const isPath = segments.length > 0 && segments.every((one) => !/^$|^\.\.?$|[/\\\0]/.test(one));
    return skill === '' || !isPath ? undefined : { skill, path: segments.join('/') };
  } catch {
    return undefined;
  }
}

/** The text files of a skill, its instructions first. */
export function skillResources({ id, description, files }: CompiledSkill): ResourceDescription[] {
  return files
    .filter(({ path, bytes }) => bytes <= READABLE_BYTES && !isHiddenFile(path))
    .filter(({ path }) => !NO_TEXT.test(mimeTypeOf(path)) && path.isWellFormed())
    .map(({ path, bytes }) => ({
      uri: skillUri(id, path),
      name: path === SKILL_FILE ? id : cleanText(`${id}/${path}`).text,
      ...(path === SKILL_FILE ? { description } : {}),
      mimeType: mimeTypeOf(path),
      size: bytes,
    }))
    .sort((a, b) => Number(b.name === id) - Number(a.name === id) || (a.uri < b.uri ? -1 : 1));
}

function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  return segment.replaceAll(/[^\w!$&'()*+,.:;=@[\]|~-]/gu, (sign) => encodeURIComponent(sign));
}
