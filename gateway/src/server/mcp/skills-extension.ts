import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { DirectoryResource, Skill } from '@modelcontextprotocol/server/ext/skills';
import { isObject, type JsonObject, type Principal } from '../../operations/index.ts';
import { parameterSchema } from './parameter-schema.ts';
import { answering } from './protocol-errors.ts';

/** One skill as clients of the extension see it. */
export interface McpSkill {
  /** Address of its SKILL.md, in the spelling of its resource: `skill://NAME/SKILL.md`. */
  readonly uri: string;
  /** Exactly what stands between the lines `---`, every member of it. */
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** Every file of the package, SKILL.md among them; `resources/read` answers for each. */
  readonly files: readonly McpSkillFile[];
}

export interface McpSkillFile {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly mimeType: string;
}

/** The skills of the catalog as it is now, by who may see them. */
export interface McpSkills {
  /** Sorted by address. */
  list(principal: Principal): readonly McpSkill[] | Promise<readonly McpSkill[]>;
  /** By the address of its SKILL.md; undefined for what the principal does not see. */
  get(uri: string, principal: Principal): McpSkill | undefined | Promise<McpSkill | undefined>;
}

/** What a server says that it can, beside `resources` (SEP-2640). */
export const SKILLS_CAPABILITY = { 'io.modelcontextprotocol/skills': { directoryRead: true } } as const;

const PAGE = 100;
/** What clients accept of one skill: files, and their bytes. */
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;
/** Keys of `metadata` that only the protocol itself gives. */
const RESERVED = 'io.modelcontextprotocol/';
const DIRECTORY = 'inode/directory';
const NAME = /^[0-9a-z]+(?:-[0-9a-z]+)*$/;

interface Parameters {
  readonly uri: string;
  readonly cursor?: string;
}

/**
 * Serves `skills/list`, `skills/get` and `resources/directory/read` on one server, before it is connected. Contents are
 * read with `resources/read`. Changes are told as changes of resources: the extension has no notice of its own.
 */
export function handleSkills(
  server: Server,
  skills: McpSkills,
  principal: Principal,
  era: 'legacy' | 'modern',
): void {
  // The revision of 2026-07-28 says how long an answer counts; older clients are told with a notice.
  const cache = era === 'modern' ? { ttlMs: 0, cacheScope: 'private' as const } : {};
  server.setRequestHandler('skills/list', { params: parameters(false) }, ({ cursor }) =>
    answering(async () => {
      const known = (await skills.list(principal)).filter(isPublic);
      const { items, nextCursor } = page(known, cursor);
      return { skills: items.map(entryOf), ...(nextCursor === undefined ? {} : { nextCursor }), ...cache };
    }),
  );
  server.setRequestHandler('skills/get', { params: parameters(true) }, ({ uri }) =>
    answering(async () => {
      const skill = await skills.get(uri, principal);
      if (skill === undefined || !isPublic(skill)) throw unknown(uri, 'No skill has its SKILL.md there');
      return { skill: entryOf(skill), ...cache };
    }),
  );
  server.setRequestHandler('resources/directory/read', { params: parameters(true) }, ({ uri, cursor }) =>
    answering(async () => {
      const children = directory(await skills.list(principal), uri);
      if (children === undefined) throw unknown(uri, 'It is no folder of a skill');
      const { items, nextCursor } = page(children, cursor);
      return { resources: items, ...(nextCursor === undefined ? {} : { nextCursor }), ...cache };
    }),
  );
}

/** The extension is stricter than real skills are; one that breaks its rules is a resource and a prompt only. */
function isPublic({
  uri,
  frontmatter: { name, description, compatibility, metadata },
  files,
}: McpSkill): boolean {
  const texts =
    metadata === undefined ||
    (isObject(metadata) &&
      Object.entries(metadata).every(([key, text]) => typeof text === 'string' && !key.startsWith(RESERVED)));
  const fits = (text: unknown, most: number) =>
    typeof text === 'string' && text !== '' && [...text].length <= most;
  return (
    texts &&
    NAME.test(name) &&
    name.length <= 64 &&
    uri.endsWith(`/${name}/SKILL.md`) &&
    fits(description, 1024) &&
    (compatibility === undefined || fits(compatibility, 500)) &&
    files.length <= MAX_FILES &&
    files.reduce((sum, { size }) => sum + size, 0) <= MAX_BYTES &&
    files.some((file) => file.uri === uri)
  );
}

function entryOf({ uri, frontmatter, files }: McpSkill): Skill {
  const resources = files
    .map((file) => ({ uri: file.uri, digest: file.digest, size: file.size }))
    .toSorted(byUri);
  return { uri, frontmatter, resources };
}

/** What lies directly in a folder, which is addressed without a slash at its end. */
function directory(skills: readonly McpSkill[], asked: string): DirectoryResource[] | undefined {
  const folder = asked.endsWith('/') ? asked.slice(0, -1) : asked;
  const skill = skills.find(({ uri }) => `${folder}/`.startsWith(uri.slice(0, -'SKILL.md'.length)));
  const children = new Map<string, DirectoryResource>();
  for (const { uri, mimeType, size } of skill?.files ?? []) {
    if (!uri.startsWith(`${folder}/`)) continue;
    const [segment = '', ...below] = uri.slice(folder.length + 1).split('/');
    const child = `${folder}/${segment}`;
    const name = decodeURIComponent(segment);
    children.set(
      child,
      below.length > 0 ? { uri: child, name, mimeType: DIRECTORY } : { uri, name, mimeType, size },
    );
  }
  return children.size === 0 ? undefined : [...children.values()].sort(byUri);
}

function byUri(one: { readonly uri: string }, other: { readonly uri: string }): number {
  return one.uri < other.uri ? -1 : Number(one.uri > other.uri);
}

/** A cursor is the last address of the page before: it means the same when skills come and go between two pages. */
function page<T extends { readonly uri: string }>(
  all: readonly T[],
  cursor: string | undefined,
): { items: readonly T[]; nextCursor?: string } {
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !after.includes('://'))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  const rest = after === undefined ? all : all.filter(({ uri }) => uri > after);
  const items = rest.slice(0, PAGE);
  return rest.length > PAGE
    ? { items, nextCursor: Buffer.from(items.at(-1)!.uri).toString('base64url') }
    : { items };
}

function unknown(uri: string, why: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${why}.`, { uri });
}

/** `uri` where one is needed, an optional `cursor`. */
function parameters(needsUri: boolean) {
  return parameterSchema<Parameters>((value) => {
    const { uri, cursor } = isObject(value) ? value : {};
    if (needsUri && typeof uri !== 'string')
      return { issues: [{ message: 'uri must be a text', path: ['uri'] }] };
    if (cursor !== undefined && typeof cursor !== 'string')
      return { issues: [{ message: 'cursor must be a text', path: ['cursor'] }] };
    return { value: { uri: String(uri), ...(cursor === undefined ? {} : { cursor }) } };
  });
}
