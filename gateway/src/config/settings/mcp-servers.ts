import { ToolcribError } from '../../errors.ts';
import { escapeToken, isObject, type SecretReference, type UnsetVariable } from '../../operations/index.ts';
import { nearestName } from '../../operations/text/nearest-name.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import type { McpServerEntry, SourceConfiguration } from '../configuration.ts';
import type { Environment } from '../directories.ts';
import type { SecretContext } from '../secrets.ts';
import { hasNoTools, isToolList, serverTools, toolSelectors } from './server-tools.ts';
import { type McpEntry, upstreamSettings } from './upstreams.ts';

/** `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}`, as the larger clients write them. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^{}]*))?\}/g;
const WHOLE = /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/;
const ANY = /\$\{[^}]*\}/;
/** What an editor knows and an environment does not. */
const OF_EDITORS = /\$\{(?:workspaceFolder\w*|userHome|pathSeparator|cwd|(?:relative)?[fF]ile\w*)\}/;

/**
 * The servers of `mcpServers` as sources. What an entry says beside command, args, env, cwd, url, type, headers and
 * lists of its tools is another client's business and means nothing here, unless it looks misspelt or guards a source
 * (`wrongServerKeys`); a disabled entry is no source.
 */
export function mcpServerSources(
  servers: Readonly<Record<string, McpServerEntry>>,
  sources: Readonly<Record<string, SourceConfiguration>>,
  context: SecretContext,
): Readonly<Record<string, SourceConfiguration>> {
  const added: Record<string, SourceConfiguration> = {};
  for (const [given, entry] of Object.entries(servers)) {
    if (isDisabledServer(entry)) continue;
    const name = serverName(given);
    const problem =
      serverProblem(entry) ??
      (Object.hasOwn(sources, name) || Object.hasOwn(added, name)
        ? `there is another source named ${name}`
        : undefined);
    if (problem !== undefined) {
      throw new ToolcribError('configuration_invalid', `mcpServers.${given}: ${problem}.`, {
        pointer: `#/mcpServers/${escapeToken(given)}`,
      });
    }
    added[name] = {
      kind: 'mcp',
      settings: upstreamSettings(name, entryOf(given, entry, context), context),
      prefix: name,
      access: [],
      ...toolSelectors(entry),
    };
  }
  return added;
}

/** What an entry may say here. */
export const SERVER_KEYS: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'includeTools',
  'excludeTools',
];

/** What keeps an entry from being started. */
const SWITCHES: readonly string[] = ['disabled', 'enabled'];

/** The same, and what others call it. */
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SERVER_KEYS.map((key) => [key, key])),
  cmd: 'command',
  arguments: 'args',
  environment: 'env',
  ...Object.fromEntries(SWITCHES.map((key) => [key, key])),
};
/** What other clients write, near enough to be taken for one of these. */
const OF_OTHER_CLIENTS = ['comment', 'envFile'];

/**
 * What a source may say to limit its server, and where: who writes it into an entry must not believe that it counts
 * there.
 */
const GUARDS: Readonly<Record<string, 'beside mcp' | 'within mcp'>> = {
  access: 'beside mcp',
  include: 'beside mcp',
  exclude: 'beside mcp',
  limits: 'beside mcp',
  permissions: 'beside mcp',
  features: 'beside mcp',
  category: 'beside mcp',
  connections: 'beside mcp',
  isolation: 'within mcp',
  share: 'within mcp',
};

/** Keys of an entry that would be lost and should not be, with what to say of them; any other is another client's. */
export function wrongServerKeys(entry: unknown): ReadonlyArray<readonly [key: string, message: string]> {
  if (!isObject(entry)) return [];
  return Object.keys(entry).flatMap((key) => {
    if (SWITCHES.includes(key)) return switchProblem(key, entry[key]);
    if (KEYS[key] === key || isToolList(key, entry[key])) return [];
    if (Object.hasOwn(GUARDS, key)) return [[key, guardMessage(key)] as const];
    const meant = KEYS[nearestName(key, [...Object.keys(KEYS), ...OF_OTHER_CLIENTS]) ?? ''];
    return meant === undefined ? [] : [[key, `Unknown key "${key}". Did you mean "${meant}"?`] as const];
  });
}

function switchProblem(key: string, value: unknown): Array<readonly [key: string, message: string]> {
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  return [[key, 'Write true or false, without quotes: anything else would start the server.']];
}

function guardMessage(key: string): string {
  const place = GUARDS[key] === 'within mcp' ? `mcp: { …, ${key}: … }` : `mcp: { … }, ${key}: …`;
  return `"${key}" does not count in an entry of mcpServers: write the server under sources, as NAME: { ${place} }.`;
}

/** A source's name: letters, digits, `_` and `-`, at most 32. */
export function serverName(given: string): string {
  const letters = given.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[^A-Za-z]+/, '');
  const clean = trimEndOf(letters.slice(0, 32), '_-');
  return clean === '' || clean === 'constructor' || clean === 'prototype' ? 'server' : clean;
}

/** Why an entry as other clients write it cannot be run here; undefined when it can. */
export function serverProblem(entry: McpServerEntry): string | undefined {
  const { problem } = serverTools(entry);
  if (problem !== undefined) return problem;
  if ('command' in entry && 'url' in entry) return 'it names a command and a url, and can be reached by one';
  if ('envFile' in entry) return 'an envFile is not read; name its variables under env';
  const texts =
    'command' in entry
      ? [entry.command, ...(entry.args ?? []), ...Object.values(entry.env ?? {}), entry.cwd ?? '']
      : [entry.url, ...Object.values(entry.headers ?? {})];
  const foreign = texts
    .map((text) => (OF_EDITORS.exec(text) ?? ANY.exec(text.replace(VARIABLE, '')))?.[0])
    .find(Boolean);
  if (foreign !== undefined) return `${foreign} is not understood; ${instead(foreign)}`;
  if ('command' in entry) return undefined;
  return ANY.test(entry.url) || isHttpUrl(entry.url) ? undefined : 'its url is no http or https URL';
}

/** What to write in place of something that only its editor knows. */
function instead(foreign: string): string {
  if (/^\$\{(?:workspaceFolder|cwd|fileWorkspaceFolder)/.test(foreign)) return 'write the folder itself';
  if (foreign.startsWith('${input:')) return 'write ${VAR}, and set that variable where Toolcrib starts';
  if (foreign.startsWith('${file:'))
    return 'write the server under sources:, where a value can be { file: PATH }';
  return '${VAR} and ${env:VAR} are';
}

function entryOf(given: string, entry: McpServerEntry, { env }: SecretContext): McpEntry {
  const unset: UnsetVariable[] = [];
  const expand = (value: string, place: string) =>
    expanded(value, env, (variable) => unset.push({ place, variable }));
  const references = (values: Readonly<Record<string, string>> = {}, key: string) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        reference(value, () => expand(value, `${key}.${name}`)),
      ]),
    );
  const read =
    'command' in entry ? programOf(entry, expand, references) : addressOf(entry, expand, references);
  if (unset.length > 0) return { ...read, unset };
  if (read.url !== undefined && !isHttpUrl(read.url)) {
    throw new ToolcribError(
      'configuration_invalid',
      `mcpServers.${given}: its url is no http or https URL.`,
      { pointer: `#/mcpServers/${escapeToken(given)}/url` },
    );
  }
  return read;
}

type Expand = (value: string, place: string) => string;
type References = (
  values: Readonly<Record<string, string>> | undefined,
  key: string,
) => Readonly<Record<string, SecretReference>>;

function programOf(
  { command, args = [], env, cwd }: Extract<McpServerEntry, { command: string }>,
  expand: Expand,
  references: References,
): McpEntry {
  return {
    command: expand(command, 'command'),
    args: args.map((value, index) => expand(value, `args[${index}]`)),
    env: references(env, 'env'),
    ...(cwd === undefined ? {} : { cwd: expand(cwd, 'cwd') }),
  };
}

function addressOf(
  { url, type, headers }: Extract<McpServerEntry, { url: string }>,
  expand: Expand,
  references: References,
): McpEntry {
  return {
    url: expand(url, 'url'),
    ...(type === 'sse' ? { type } : {}),
    headers: references(headers, 'headers'),
  };
}

/** A whole `${VAR}` is read when it is needed; one inside other text when the configuration is. */
function reference(value: string, expand: () => string): SecretReference {
  const name = WHOLE.exec(value)?.[1];
  return name === undefined ? expand() : { env: name };
}

/** What is not set stays as it stands, and is told. */
function expanded(value: string, env: Environment, tell: (unset: string) => void): string {
  return value.replace(VARIABLE, (all, name: string, otherwise: string | undefined) => {
    const found = env[name];
    if (found !== undefined && (found !== '' || otherwise === undefined)) return found;
    if (otherwise !== undefined) return otherwise;
    tell(name);
    return all;
  });
}

/** Variables in a text for which nothing stands in where they are not set. */
export function neededVariables(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, name, otherwise]) =>
    otherwise === undefined ? [name!] : [],
  );
}

/** Other clients write `disabled: true`, or `enabled: false`, or take no tool of it. */
export function isDisabledServer(entry: McpServerEntry): boolean {
  const { disabled, enabled } = entry as { disabled?: unknown; enabled?: unknown };
  return disabled === true || enabled === false || hasNoTools(entry);
}

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
