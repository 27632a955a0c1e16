import {
  isObject,
  type Json,
  type JsonSchema,
  type ScriptArgument,
  type ScriptInvocation,
} from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import {
  argumentPath,
  CONTEXT_NAMES,
  checkArguments,
  checkTemplate,
  templateNames,
} from '../../templates/index.ts';
import { interpreterOf } from './interpreter.ts';
import { PACKAGE_LIMITS } from './limits.ts';
import type { SkillPackageFiles } from './package-files.ts';
import { InvalidTool, type ManifestPath, type Member, type Note } from './tool-members.ts';

const CODE = 'skill-tool-executor';
/** Characters of a script that tell how it is run. */
const HEAD = 4096;
const SHELLS = ['sh', 'bash'];
const MOST_ARGUMENTS = 100;
const MOST_VARIABLES = 100;
/** These change what a program is before it begins: of what runs it, too. */
const LOADER_VARIABLE = /^(?:LD_|DYLD_)/;
/** These say which code an interpreter, or git, runs besides: the author's to say, never a caller's. */
const CODE_VARIABLE =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|NODE_(?:OPTIONS|PATH)|PYTHON[A-Z]+|PERL5[A-Z]+|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|GCONV_PATH|GIT_\w+)$/;

type ScriptParts = Pick<ScriptInvocation, 'entry' | 'interpreter' | 'args' | 'stdin' | 'stdinText' | 'env'>;

export interface ScriptMembers {
  readonly entry: Member | undefined;
  readonly args: Member | undefined;
  readonly stdin: Member | undefined;
  readonly stdinText: Member | undefined;
  readonly env: Member | undefined;
  /** Where the executor stands. */
  readonly path: ManifestPath;
}

/** A script with its arguments, checked. Throws InvalidTool. */
export async function compileScript(
  members: ScriptMembers,
  input: JsonSchema,
  content: SkillPackageFiles,
  note: Note,
): Promise<ScriptParts> {
  const file = entryFile(members, content);
  const head = async () =>
    file.bytes > PACKAGE_LIMITS.scriptBytes
      ? ''
      : Buffer.from(await content.read(file.path)).toString('latin1', 0, HEAD);
  const interpreter = await interpreterOf({ path: file.path, executable: file.executable === true, head });
  if (typeof interpreter === 'object') throw new InvalidTool(CODE, interpreter.problem, members.entry!.path);
  if (await hasWindowsLines(interpreter, head))
    note(
      'skill-script-lines',
      `entry ${file.path} has Windows line ends, which a shell, or the system in a "#!" line, takes for a part of its words: save it with LF.`,
      members.entry!.path,
      'warning',
    );
  const scope = { args: input, context: CONTEXT_NAMES, secrets: false };
  const args = argumentsOf(members.args);
  if (args !== undefined) refuse(checkArguments(args, scope), members.args!);
  if (members.stdin !== undefined) refuse(checkTemplate(members.stdin.value, scope), members.stdin);
  const stdinText = stdinTextOf(members);
  if (stdinText !== undefined) refuse(checkTemplate(stdinText, scope), members.stdinText!);
  const env = environmentOf(members.env);
  if (env !== undefined) refuse(checkTemplate({ ...env }, { ...scope, secrets: true }), members.env!);
  return {
    entry: file.path,
    ...(interpreter === 'itself' ? {} : { interpreter }),
    ...(args === undefined ? {} : { args }),
    ...(members.stdin === undefined ? {} : { stdin: members.stdin.value }),
    ...(stdinText === undefined ? {} : { stdinText }),
    ...(env === undefined ? {} : { env }),
  };
}

/** Python and Node read such lines; what starts itself is read by the system, up to the end of its first line. */
async function hasWindowsLines(interpreter: string, head: () => Promise<string>): Promise<boolean> {
  if (interpreter === 'itself') return /^#!.*\r\n/.test(await head());
  return SHELLS.includes(interpreter) && (await head()).includes('\r\n');
}

/** The first problem of a template ends its tool, at its own line. */
export function refuse(problems: ReturnType<typeof checkTemplate>, { path }: Pick<Member, 'path'>): void {
  const [problem] = problems;
  if (problem !== undefined)
    throw new InvalidTool('skill-tool-template', problem.message, [...path, ...problem.path]);
}

function entryFile({ entry, path }: ScriptMembers, { files }: SkillPackageFiles) {
  if (entry === undefined || typeof entry.value !== 'string' || entry.value.trim() === '')
    throw new InvalidTool(CODE, 'A script executor has an entry.', entry?.path ?? path);
  const named = entry.value.trim();
  const shown = named.slice(0, 200);
  if (/^[/\\]|^[A-Za-z]:|\0/.test(named))
    throw new InvalidTool(CODE, `entry ${shown} is no path within the skill.`, entry.path);
  const inside = segmentsWithin(named);
  if (inside === undefined) throw new InvalidTool(CODE, `entry ${shown} leads out of the skill.`, entry.path);
  const file = files.find((one) => one.path === inside);
  if (file === undefined) {
    const isHidden = /(?:^|\/)(?:\.|__pycache__(?:\/|$))/.test(inside);
    const isCommand = named.split(/\s+/).some((word) => files.some(({ path }) => path === word));
    const why = isHidden
      ? 'lies in a hidden folder or one of a cache, which is no part of a skill'
      : `is not there, or no plain file${isCommand ? ': it is a path alone, and arguments stand in args_template' : ''}`;
    throw new InvalidTool(CODE, `entry ${shown} ${why}.`, entry.path);
  }
  return file;
}

function segmentsWithin(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

function argumentsOf(member: Member | undefined): ScriptArgument[] | undefined {
  if (member === undefined) return undefined;
  const { value, path } = member;
  if (!Array.isArray(value))
    throw new InvalidTool(CODE, 'args_template is a list: one item is one argument.', path);
  if (value.length > MOST_ARGUMENTS)
    throw new InvalidTool(CODE, `args_template has more than ${MOST_ARGUMENTS} items.`, path);
  return value.map((item, index) => argumentOf(item, [...path, index]));
}

function argumentOf(item: Json, path: ManifestPath): ScriptArgument {
  const text = scalarText(item);
  if (text !== undefined) return text;
  if (Array.isArray(item)) {
    const group = item.map(scalarText).filter((one) => one !== undefined);
    if (group.length === item.length && item.length > 0 && item.length <= MOST_ARGUMENTS) return group;
  } else if (isObject(item)) {
    const { flag, when, each, ...more } = item;
    const isKnown = Object.keys(more).length === 0;
    if (isKnown && each === undefined && typeof flag === 'string' && typeof when === 'string')
      return { flag, when: properName(when) };
    if (isKnown && when === undefined && typeof each === 'string') {
      if (flag === undefined) return { each: properName(each) };
      if (typeof flag === 'string') return { each: properName(each), flag };
    }
  }
  throw new InvalidTool(
    CODE,
    'An argument is text, a list of texts (left out while a value in it is missing), { flag, when } or { each, flag }.',
    path,
  );
}

/** Without braces. */
function properName(named: string): string {
  const path = argumentPath(named);
  return path === undefined ? named : ['args', ...path].join('.');
}

function stdinTextOf({ stdin, stdinText }: ScriptMembers): string | undefined {
  if (stdinText === undefined) return undefined;
  const { value, path } = stdinText;
  if (stdin !== undefined)
    throw new InvalidTool(CODE, 'stdin_template and stdin_text exclude each other.', path);
  const text = scalarText(value);
  if (text === undefined) throw new InvalidTool(CODE, 'stdin_text is text.', path);
  return text;
}

function environmentOf(member: Member | undefined): Record<string, string> | undefined {
  if (member === undefined) return undefined;
  const { value, path } = member;
  if (!isObject(value)) throw new InvalidTool(CODE, 'env maps names of variables to texts.', path);
  const entries = Object.entries(value);
  if (entries.length > MOST_VARIABLES)
    throw new InvalidTool(CODE, `env has more than ${MOST_VARIABLES} variables.`, path);
  return Object.fromEntries(
    entries.map(([name, given]) => {
      const text = scalarText(given);
      if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) || LOADER_VARIABLE.test(name))
        throw new InvalidTool(CODE, `${name.slice(0, 64)} is no variable that a skill may set.`, [
          ...path,
          name,
        ]);
      if (text === undefined || text.includes('\0'))
        throw new InvalidTool(CODE, `The variable ${name} is text.`, [...path, name]);
      if (CODE_VARIABLE.test(name) && templateNames(text).some(({ namespace }) => namespace === 'args'))
        throw new InvalidTool(CODE, `${name} says which code is run: no argument may stand in it.`, [
          ...path,
          name,
        ]);
      return [name, text];
    }),
  );
}
