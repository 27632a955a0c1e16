import { isToolList, serverTools } from '../../config/settings/server-tools.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import type { TheirVariables } from './their-variables.ts';

export interface OurEntry {
  /** As `mcpServers` is written here; its types are checked by whoever reads it. */
  readonly entry: JsonObject;
  /** Keys that mean nothing here. */
  readonly left: readonly string[];
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  local: undefined,
  remote: undefined,
  streamable_http: 'http',
};
/** What `transport` may say where another client writes `type`. */
const TRANSPORT = /^(?:stdio|http|sse|streamable[-_]http|streamableHttp)$/;
/** What is no setting of a server. */
const SILENT: ReadonlySet<string> = new Set([
  'enabled',
  'disabled',
  'source',
  'name',
  'description',
  'envFile',
]);

/** An entry in the words of any client that we know, in ours. */
export function ourEntry(theirs: JsonObject, variables: TheirVariables): OurEntry {
  const used = new Set<string>();
  const take = (key: string): Json | undefined => {
    const value = theirs[key];
    if (value !== undefined) used.add(key);
    return value ?? undefined;
  };
  const { command, args, env: envOfCommand } = commandOf(take('command') ?? take('cmd'), take('args'));
  const env = {
    ...members(envOfCommand),
    ...members(take('environment')),
    ...members(take('envs')),
    ...members(take('env')),
    ...passedOn(take('env_vars')),
    ...passedOn(take('env_keys')),
  };
  const bearer = take('bearer_token_env_var') ?? take('bearer_token_env');
  const headers = {
    ...members(take('http_headers')),
    ...members(take('headers')),
    ...references(take('env_http_headers')),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  // Gemini CLI's `url` is the older transport, for which it prefers `httpUrl`
  const [url] = [take('httpUrl'), take('serverUrl'), take('url'), take('uri')].filter(
    (one) => one !== undefined,
  );
  const { transport } = theirs;
  const isTransport = typeof transport === 'string' && TRANSPORT.test(transport);
  const type = take('type') ?? (isTransport ? take('transport') : undefined);
  const known = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type] : type;
  const cwd = take('cwd');
  const { include, exclude } = serverTools(theirs);
  const entry: Record<string, Json | undefined> = {
    type: known,
    command,
    args,
    env: isEmpty(env) ? undefined : env,
    cwd,
    url,
    headers: isEmpty(headers) ? undefined : headers,
    includeTools: include && [...include],
    excludeTools: exclude.length === 0 ? undefined : [...exclude],
  };
  const left = Object.keys(theirs).filter(
    (key) => !used.has(key) && !SILENT.has(key) && !isToolList(key, theirs[key]),
  );
  const stated = Object.entries(entry).filter(([, value]) => value !== undefined);
  return {
    entry: Object.fromEntries(stated.map(([key, value]) => [key, variables.read(value as Json, key)])),
    left: left.filter((key) => theirs[key] !== null),
  };
}

/** OpenCode has one list for both; older Zed has an object. */
function commandOf(
  command: Json | undefined,
  args: Json | undefined,
): Readonly<Record<'command' | 'args' | 'env', Json | undefined>> {
  if (Array.isArray(command)) {
    const [program, ...more] = command;
    const all = [...more, ...(Array.isArray(args) ? args : [])];
    return { command: program, args: all.length === 0 ? undefined : all, env: undefined };
  }
  if (isObject(command))
    return { command: command['path'], args: args ?? command['args'], env: command['env'] };
  return { command, args, env: undefined };
}

/** Numbers and switches as the text that a program is given; null takes a variable away. */
function members(value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, typeof one === 'number' || typeof one === 'boolean' ? String(one) : one]),
  );
}

/** Codex: names of variables that are passed on, or of where they stand. */
function passedOn(value: Json | undefined): JsonObject {
  if (!Array.isArray(value)) return {};
  const names = value.map((one) => (isObject(one) ? one['name'] : one));
  return Object.fromEntries(
    names.filter((name) => typeof name === 'string').map((name) => [name, `\${${name}}`]),
  );
}

function references(value: Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(members(value)).map(([header, name]) => [header, `\${${String(name)}}`]),
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
