import type { ResourceDescription } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { READABLE_BYTES } from './limits.ts';
import { SKILL_FILE } from './package-files.ts';
import type { CompiledSkill } from './snapshot.ts';

const SCHEME = 'skill://';

/** As the skills extension of MCP has them, beside the languages that it leaves out. */
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  py: 'text/x-python',
  sh: 'application/x-sh',
  bash: 'application/x-sh',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  ts: 'text/typescript',
  mts: 'text/typescript',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  xsd: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
};
const NO_TEXT = /^(?:image\/(?!svg)|application\/(?:pdf|octet-stream)$)/;

/** By the extension; `text/plain` for licences and readme files without one, else `application/octet-stream`. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0)
    return /^(?:licen[cs]e|notice|readme|changelog|authors)$/i.test(name)
      ? 'text/plain'
      : 'application/octet-stream';
  const extension = name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : 'application/octet-stream';
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
    .filter(({ bytes }) => bytes <= READABLE_BYTES)
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
