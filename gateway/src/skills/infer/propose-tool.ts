import type { Json, JsonObject, ScriptArgument } from '../../operations/index.ts';
import { type FoundArgument, type FoundCommand, type FoundScript, MAX_DEPTH } from './found.ts';

/** One tool as it is proposed, with what is said beside it. */
export interface ProposedTool {
  readonly name: string;
  readonly description: string;
  readonly entry: string;
  /** How its arguments were found. */
  readonly how: string;
  readonly input: JsonObject;
  /** Absent: the arguments go to standard input as JSON. */
  readonly args?: readonly ScriptArgument[];
  /** Where each argument was read, by its name in the schema. */
  readonly places: ReadonlyMap<string, string>;
  /** What a person should look at. */
  readonly doubts: readonly string[];
  readonly environment: readonly string[];
  readonly network?: string;
}

const MAX_NAME = 60;
const MAX_DESCRIPTION = 500;
/** What may stand behind `|default:` and still be one plain value. */
const PLAIN_DEFAULT = /^[A-Za-z0-9_./-]{1,80}$/;

/** The tools of one script: itself, or one for each of its subcommands. */
export function proposeTools(entry: string, script: FoundScript): ProposedTool[] {
  const base = nameOf(entry.slice(entry.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]+$/, ''));
  return pathsOf(script.command, []).map((path) => proposeTool(entry, base, script, path));
}

/** Ways to every command without subcommands. */
function pathsOf(command: FoundCommand, above: readonly FoundCommand[]): FoundCommand[][] {
  const path = [...above, command];
  if (command.commands.length === 0 || path.length > MAX_DEPTH) return [path];
  return command.commands.flatMap((one) => pathsOf(one, path));
}

function proposeTool(
  entry: string,
  base: string,
  script: FoundScript,
  path: readonly FoundCommand[],
): ProposedTool {
  const words = path.flatMap(({ word }) => word ?? []);
  const own = path.at(-1)!;
  const described =
    summary(own.description) ?? (words.length === 0 ? summary(script.description) : undefined);
  const doubts = [...script.doubts];
  const whole = summary(script.description);
  if (described === undefined) doubts.push('the script does not say what it does: write a description');
  const { input, args, places } =
    script.stdin === undefined ? commandLine(path, doubts) : standardInput(script.stdin);
  const said =
    described ??
    (whole === undefined ? `Runs ${entry} ${words.join(' ')}`.trim() + '.' : `${whole} (${words.join(' ')})`);
  return {
    name: [base, ...words.map(nameOf)].join('_').slice(0, MAX_NAME),
    description: said,
    entry,
    how: script.how,
    input,
    ...(args === undefined ? {} : { args }),
    places,
    doubts,
    environment: script.environment,
    ...(script.network === undefined
      ? {}
      : { network: `${script.network.why}, line ${script.network.line}` }),
  };
}

type Shape = Pick<ProposedTool, 'input' | 'args' | 'places'>;

/** Flags of a command come before what has none, as every reader of arguments takes them so. */
function commandLine(path: readonly FoundCommand[], doubts: string[]): Shape {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const dependent: Record<string, Json> = {};
  const args: ScriptArgument[] = [];
  const places = new Map<string, string>();
  const hasFlags = path.some((command) => command.arguments.some(({ flag }) => flag !== undefined));
  for (const { word, arguments: found } of path) {
    if (word !== undefined) args.push(word);
    const flags = found.filter(({ flag }) => flag !== undefined);
    const positions = found.filter(({ flag }) => flag === undefined);
    /** Optional ones before the next: it cannot be given without them. */
    const before: string[] = [];
    for (const argument of [...flags, ...positions]) {
      const names = namesOf(argument, properties);
      if (argument.doubt !== undefined) doubts.push(`${names[0]}: ${argument.doubt}`);
      for (const name of names) {
        properties[name] = schemaOf(argument, hasFlags);
        places.set(
          name,
          argument.line === 0 ? argument.spelling : `${argument.spelling}, line ${argument.line}`,
        );
        if (argument.required) required.push(name);
      }
      args.push(...itemsOf(argument, names));
      if (argument.flag !== undefined || argument.required) continue;
      if (before.length > 0) for (const name of names) dependent[name] = [...before];
      if (!hasPlainDefault(argument)) before.push(...names);
    }
  }
  const input = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(dependent).length === 0 ? {} : { dependentRequired: dependent }),
    additionalProperties: false,
  };
  return { input, args, places };
}

function standardInput({ line, members }: NonNullable<FoundScript['stdin']>): Shape {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const places = new Map<string, string>();
  for (const member of members) {
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(member.name)) continue;
    const { name, fallback } = member;
    properties[name] = {
      ...(typeof fallback === 'number' || typeof fallback === 'boolean' ? { type: typeof fallback } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    places.set(name, `member of its input, line ${line}`);
    if (member.required) required.push(name);
  }
  const input = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  return { input, places };
}

/** What a script's argument becomes on its command line; an optional one is left out whole. */
function itemsOf(argument: FoundArgument, names: readonly string[]): ScriptArgument[] {
  const { flag, kind, required, joined } = argument;
  if (kind === 'switch') return [{ flag: flag!, when: `args.${names[0]}` }];
  const templates = names.map((name) => `{{args.${name}}}`);
  if (flag !== undefined) {
    const items = joined && templates.length === 1 ? [`${flag}=${templates[0]}`] : [flag, ...templates];
    return required ? items : [items];
  }
  if (required) return templates;
  return hasPlainDefault(argument) ? [`{{args.${names[0]}|default:'${argument.fallback}'}}`] : [templates];
}

function hasPlainDefault({ fallback, values }: FoundArgument): boolean {
  return values === undefined && typeof fallback === 'string' && PLAIN_DEFAULT.test(fallback);
}

function schemaOf(argument: FoundArgument, hasFlags: boolean): JsonObject {
  const { kind, type, choices, fallback, description, flag } = argument;
  const said = summary(description);
  const about = said === undefined ? {} : { description: said };
  if (kind === 'switch') return { type: 'boolean', ...about };
  if (choices !== undefined) {
    const isNumber = choices.every((choice) => typeof choice === 'number');
    return {
      type: isNumber ? 'number' : 'string',
      enum: isNumber ? [...choices] : choices.map(String),
      ...about,
      ...defaultOf(fallback, isNumber ? 'number' : 'string'),
    };
  }
  // By its position a text that looks like a flag would be one.
  const pattern = flag === undefined && type === 'string' && hasFlags ? { pattern: '^[^-]' } : {};
  return { type, ...pattern, ...about, ...defaultOf(fallback, type) };
}

function defaultOf(fallback: FoundArgument['fallback'], type: FoundArgument['type']): JsonObject {
  if (type === 'string')
    return typeof fallback === 'string' && fallback !== '' && fallback.length <= 200
      ? { default: fallback }
      : {};
  const number =
    typeof fallback === 'string' && /^-?\d{1,12}(?:\.\d{1,6})?$/.test(fallback) ? Number(fallback) : fallback;
  const fits = type === 'integer' ? Number.isInteger(number) : typeof number === 'number';
  return fits ? { default: number as number } : {};
}

/** Names of the schema for one argument, none of which is taken. */
function namesOf({ spelling, values }: FoundArgument, taken: JsonObject): string[] {
  const plain = nameOf(spelling.replace(/^-+/, '')).replaceAll('-', '_');
  const base = /^[A-Za-z_]/.test(plain) ? plain : `value_${plain}`;
  const count = typeof values === 'number' ? values : 1;
  return Array.from({ length: count }, (_, index) => {
    const wanted = count === 1 ? base : `${base}_${index + 1}`;
    let name = wanted;
    for (let next = 2; Object.hasOwn(taken, name) || name === '__proto__'; next++) name = `${wanted}_${next}`;
    return name;
  });
}

function nameOf(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+/g, '')
    .slice(0, MAX_NAME);
  const whole = name.endsWith('_') ? name.slice(0, -1) : name;
  return whole === '' ? 'value' : whole;
}

/** The first paragraph, on one line. */
function summary(text: string | undefined): string | undefined {
  const paragraph: string[] = [];
  for (const raw of (text ?? '').split('\n', 60)) {
    const line = raw.trim();
    if (
      /^(?:usage|example|args|arguments|options|returns)\b.{0,3}:?/i.test(line) &&
      (line.endsWith(':') || /^usage\b/i.test(line))
    )
      break;
    if (line === '' && paragraph.length > 0) break;
    if (line !== '') paragraph.push(line);
  }
  const joined = paragraph
    .join(' ')
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, ' ')
    .trim();
  if (joined === '') return undefined;
  return joined.length <= MAX_DESCRIPTION ? joined : `${joined.slice(0, MAX_DESCRIPTION - 1)}…`;
}
