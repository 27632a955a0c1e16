import { isObject, type Json, type JsonSchema, type ScriptArgument } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { templateNames } from '../../templates/index.ts';
import { namesDeletion, words } from '../operation-words.ts';
import { compileRequest } from './compile-request.ts';
import { compileScript } from './compile-script.ts';
import { PACKAGE_LIMITS } from './limits.ts';
import { noteUnused, noteUnusedByScript } from './note-unused.ts';
import type { SkillPackageFiles } from './package-files.ts';
import type { CompiledSkillTool } from './snapshot.ts';
import { type RuntimeDefaults, retryOf, timeoutOf } from './tool-limits.ts';
import {
  EXECUTOR_KEYS,
  InvalidTool,
  type ManifestPath,
  Members,
  type Note,
  TOOL_KEYS,
} from './tool-members.ts';
import { inputSchema, outputSchema } from './tool-schemas.ts';

export interface ToolSurroundings {
  readonly skill: string;
  readonly version: string;
  readonly runtime: RuntimeDefaults;
  readonly content: SkillPackageFiles;
  readonly note: Note;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,100}$/;
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
/** Below `context`: a gateway of one person has no organisations, and not every client names its runs. */
const NOT_ALWAYS = ['organisation', 'run_id'];
type SkillAccess = CompiledSkillTool['access'];

/** The name that a tool declares, where it is one. */
export function declaredName(tool: Json): string | undefined {
  const name = isObject(tool) ? tool['name'] : undefined;
  return typeof name === 'string' && NAME.test(name) ? name : undefined;
}

/** One tool of a manifest, every alias resolved and every default filled in. Throws InvalidTool. */
export async function compileTool(
  tool: Json,
  path: ManifestPath,
  { skill, version, runtime, content, note }: ToolSurroundings,
): Promise<Omit<CompiledSkillTool, 'place'>> {
  if (!isObject(tool))
    throw new InvalidTool('skill-tool', 'A tool has name, description, input_schema and executor.', path);
  const name = declaredName(tool);
  if (name === undefined)
    throw new InvalidTool(
      'skill-tool-name',
      'name has 2 to 101 letters, digits, "_", "." and "-", the first a letter or a digit.',
      Object.hasOwn(tool, 'name') ? [...path, 'name'] : path,
    );
  const { own, executor, type } = executorOf(tool, path, note);
  const input = inputSchema(own.get('input_schema'), note);
  const output = outputSchema(own.get('output_schema'), note);
  const places = executor === own ? [own] : [executor, own];
  const common = {
    skill,
    version,
    retry: retryOf(
      places.map((one) => one.get('retry')),
      runtime.retry,
      note,
    ),
    timeoutMs: timeoutOf(
      places.map((one) => one.get('timeout_sec')),
      runtime.timeoutMs,
      note,
    ),
  };
  const network = flagOf(executor.get('network') ?? own.get('network'));
  const described = { name, description: descriptionOf(own, name, note), ...titleOf(own), input };
  const published = output === undefined ? described : { ...described, output };
  if (type === 'script') {
    const parts = await compileScript(
      {
        entry: executor.get('entry'),
        args: executor.get('args_template'),
        stdin: executor.get('stdin_template'),
        stdinText: executor.get('stdin_text'),
        env: executor.get('env') ?? own.get('env'),
        path: executor.path,
      },
      input,
      content,
      note,
    );
    noteOptional(
      {
        args: requiredArguments(parts.args),
        stdin: parts.stdin,
        stdinText: parts.stdinText,
        env: parts.env,
      },
      input,
      executor,
      note,
    );
    noteUnusedByScript(parts, input, executor.path, note);
    const access = accessOf(own, assumedAccess(name));
    return {
      ...published,
      ...accessParts(own, access),
      idempotent: flagOf(own.get('idempotent')) ?? access === 'read',
      invocation: { kind: 'script', ...common, network: network ?? false, ...parts },
    };
  }
  const env = executor.get('env') ?? own.get('env');
  if (env !== undefined)
    note('skill-key-unknown', 'env is for scripts: it does not count.', env.path, 'warning');
  if (network === false)
    note(
      'skill-tool-network',
      'An http executor uses the network: network: false does not count.',
      path,
      'warning',
    );
  const parts = compileRequest(
    {
      method: executor.get('method'),
      url: executor.get('url'),
      headers: executor.get('headers_template'),
      body: executor.get('body_template'),
      path: executor.path,
    },
    input,
    note,
  );
  noteOptional({ url: parts.url, headers: parts.headers, body: parts.body }, input, executor, note);
  noteUnused('request', [parts.url, { ...parts.headers }, parts.body ?? null], input, executor.path, note);
  const access = requestAccess(own, name, parts.method, note);
  return {
    ...published,
    ...accessParts(own, access),
    idempotent: flagOf(own.get('idempotent')) ?? (access === 'read' || IDEMPOTENT.includes(parts.method)),
    invocation: { kind: 'template', ...common, network: true, ...parts },
  };
}

/** The executor, or its keys on the tool itself. */
function executorOf(tool: { [key: string]: Json }, path: ManifestPath, note: Note) {
  const { executor: given } = tool;
  const named = typeof given === 'string' ? given : undefined;
  const isApart = isObject(given);
  const own = new Members(tool, path, isApart ? TOOL_KEYS : [...TOOL_KEYS, ...EXECUTOR_KEYS], note);
  if (given !== undefined && given !== null && !isApart && named === undefined)
    throw new InvalidTool('skill-tool-executor', 'executor is a mapping.', [...path, 'executor']);
  const executor = isApart ? new Members(given, [...path, 'executor'], EXECUTOR_KEYS, note) : own;
  const type = named ?? executor.get('type')?.value ?? inferredType(executor);
  if (type === 'script' || type === 'http') return { own, executor, type };
  throw new InvalidTool(
    'skill-tool-executor',
    type === undefined
      ? 'There is no executor: a script has an entry, an http tool a url.'
      : 'executor.type is script or http.',
    executor.get('type')?.path ?? executor.path,
  );
}

function inferredType(executor: Members): 'script' | 'http' | undefined {
  if (executor.has('entry')) return 'script';
  return executor.has('url') ? 'http' : undefined;
}

function descriptionOf(own: Members, name: string, note: Note): string {
  const given = own.get('description')?.value;
  const text = typeof given === 'string' ? given.trim() : '';
  if (text !== '') return cutText(text, PACKAGE_LIMITS.description);
  note('skill-tool-description', 'description is missing: the name stands in for it.', own.path, 'warning');
  return name;
}

function titleOf(own: Members): { readonly title?: string } {
  const title = own.get('title')?.value;
  return typeof title === 'string' && title.trim() !== '' ? { title: cutText(title.trim(), 200) } : {};
}

/** What it does to the world, as declared. */
function accessOf(own: Members, otherwise: SkillAccess): SkillAccess {
  const member = own.get('access');
  if (member === undefined) return otherwise;
  const { value, path } = member;
  if (value === 'read' || value === 'write' || value === 'delete') return value;
  throw new InvalidTool('skill-tool-access', 'access is read, write or delete.', path);
}

/** Of a tool whose manifest does not say: as of a tool of an upstream server that does not. */
export function assumedAccess(name: string): SkillAccess {
  return namesDeletion(words(name)) ? 'delete' : 'write';
}

/** A write that only we take for one is told to nobody as harmless. */
function accessParts(
  own: Members,
  access: SkillAccess,
): Pick<CompiledSkillTool, 'access' | 'destructiveUnknown'> {
  return access === 'write' && own.get('access') === undefined
    ? { access, destructiveUnknown: true }
    : { access };
}

/** A POST may read; what other methods do is their meaning (RFC 9110 §9.3), and no manifest makes it less. */
function requestAccess(own: Members, name: string, method: string, note: Note): SkillAccess {
  const least = { GET: 'read', HEAD: 'read', OPTIONS: 'read', DELETE: 'delete' }[method] as
    | SkillAccess
    | undefined;
  const declared = accessOf(own, least ?? assumedAccess(name));
  const isLess =
    method === 'DELETE' ? declared !== 'delete' : /^(?:PUT|PATCH)$/.test(method) && declared === 'read';
  if (!isLess) return declared;
  const counts = least ?? 'write';
  note(
    'skill-tool-access',
    `A ${method} is ${counts}: access: ${declared} does not count.`,
    own.path,
    'warning',
  );
  return counts;
}

function flagOf(
  member: { readonly value: Json; readonly path: ManifestPath } | undefined,
): boolean | undefined {
  if (member === undefined) return undefined;
  if (typeof member.value === 'boolean') return member.value;
  throw new InvalidTool('skill-tool', `${String(member.path.at(-1))} is true or false.`, member.path);
}

function requiredArguments(args: readonly ScriptArgument[] | undefined): string[] {
  return (args ?? []).filter((item) => typeof item === 'string');
}

/** The format's first readers put an empty text in for what is missing; here such a call fails, so its author is told. */
function noteOptional(
  templates: Readonly<Record<string, Json | Readonly<Record<string, string>> | undefined>>,
  { required }: JsonSchema,
  executor: Members,
  note: Note,
): void {
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const tree = Object.values(templates).filter((one) => one !== undefined) as Json[];
  const names = templateNames(tree).filter(({ hasDefault }) => !hasDefault);
  const open = names
    .filter(({ namespace, path }) => namespace === 'args' && !needed.includes(path[0]!))
    .map(({ path }) => path.join('.'));
  for (const name of [...new Set(open)].slice(0, 10))
    note(
      'skill-template-optional',
      `${name} is optional and has no default: calls without it fail. Require it, or write {{args.${name}|default:}}.`,
      executor.path,
      'warning',
    );
  const absent = names.filter(
    ({ namespace, path }) => namespace === 'context' && NOT_ALWAYS.includes(path[0]!),
  );
  for (const name of new Set(absent.map(({ path }) => `context.${path[0]}`)))
    note(
      'skill-template-optional',
      `Not every call has ${name}: write {{${name}|default:}}.`,
      executor.path,
      'warning',
    );
}
