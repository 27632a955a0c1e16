import type { Configuration } from '../../config/index.ts';
import { serverName } from '../../config/settings/mcp-servers.ts';
import { type UpstreamSettings, upstreamDefinitions, upstreamOf } from '../../config/settings/upstreams.ts';
import { asToolcribError, ERRORS, type ErrorCode, ToolcribError } from '../../errors.ts';
import { shownLocation } from '../../operations/http/shown-location.ts';
import { escapeToken } from '../../operations/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { signInPrompt } from '../terminal/sign-in-prompt.ts';
import { type Column, showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';
import type { LogoutOptions } from './logout.ts';

export interface UpstreamOptions extends SourceOptions {
  /** Milliseconds that each server has to start and list. */
  readonly timeout?: number;
}

interface ConfiguredServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** The command or the address; never arguments, variables or headers, which may hold secrets. */
  readonly target: string;
  readonly era: string;
  readonly share: string;
  readonly isolation: string | null;
}

const SERVER_COLUMNS: ReadonlyArray<Column<ConfiguredServer>> = [
  ['NAME', ({ name }) => name],
  ['TRANSPORT', ({ transport }) => transport],
  ['TARGET', ({ target }) => target],
  ['ERA', ({ era }) => era],
  ['SHARED BY', ({ share }) => (share === 'one' ? 'all' : 'each principal')],
  ['ISOLATION', ({ isolation }) => isolation],
];

/** The upstream servers of the configuration; starts none of them. */
export async function upstreamList(options: UpstreamOptions, terminal: Terminal): Promise<number> {
  const servers = (await settingsOf(options, terminal)).settings.map(configured);
  if (options.json) terminal.out(json({ servers }));
  else showTable(servers, SERVER_COLUMNS, terminal);
  return 0;
}

interface ServerStatus {
  readonly name: string;
  readonly ok: boolean;
  readonly server?: string;
  readonly era?: string;
  readonly tools?: number;
  readonly resources?: number;
  readonly prompts?: number;
  /** Milliseconds to start and to list. */
  readonly ms: number;
  readonly error?: { readonly code: string; readonly message: string; readonly next: string };
}

const STATUS_COLUMNS: ReadonlyArray<Column<ServerStatus>> = [
  ['NAME', ({ name }) => name],
  ['STATUS', ({ ok }) => (ok ? 'ok' : 'failed')],
  ['SERVER', ({ server }) => server],
  ['ERA', ({ era }) => era],
  ['TOOLS', ({ tools }) => tools?.toString()],
  ['RESOURCES', ({ resources }) => resources?.toString()],
  ['PROMPTS', ({ prompts }) => prompts?.toString()],
  ['MS', ({ ms }) => ms.toString()],
  ['ERROR', ({ error }) => error && `${error.code}: ${error.message}`],
];

const ENDED: ReadonlySet<ErrorCode> = new Set(['upstream_crashed', 'upstream_unavailable']);
/** In place of the advice for callers, whose server is started again. */
const ENDED_ADVICE =
  'It started, and ended before it had listed its tools. See what it last wrote, and correct `args` and `env` of this server, which gets no other variables.';

/** Starts every server once, or the one named, and says what it lists. Exit code 69 when one fails. */
export async function upstreamStatus(
  name: string | undefined,
  options: UpstreamOptions,
  terminal: Terminal,
): Promise<number> {
  const { configuration, settings } = await settingsOf(options, terminal);
  const chosen = name === undefined ? settings : [settingOf(name, settings)];
  const { openUpstreams } = await import('../../assembly/upstreams/open-upstreams.ts');
  const upstreams = await openUpstreams(configuration, { env: terminal.env });
  const check = async ({ definition }: UpstreamSettings): Promise<ServerStatus> => {
    const started = performance.now();
    const ms = () => Math.round(performance.now() - started);
    try {
      // a server that does not start in time is to say so itself
      const signal = AbortSignal.timeout(options.timeout ?? 2 * definition.startTimeoutMs);
      const { server, era, tools, resources, prompts } = await upstreams.list(definition.name, signal);
      return {
        name: definition.name,
        ok: true,
        server: `${server.name} ${server.version}`,
        era,
        tools: tools.length,
        resources: resources.length,
        prompts: prompts.length,
        ms: ms(),
      };
    } catch (thrown) {
      const { code, message, next } = asToolcribError(thrown);
      const isEnd = next === ERRORS[code].next && ENDED.has(code);
      const advice = isEnd && definition.transport.kind === 'stdio' ? ENDED_ADVICE : next;
      return { name: definition.name, ok: false, ms: ms(), error: { code, message, next: advice } };
    }
  };
  try {
    // one start tells what is asked here: a server that ends is not waited for while it is started again
    const definitions = upstreamDefinitions(configuration.sources);
    upstreams.configure(definitions.map((definition) => ({ ...definition, restart: false })));
    const servers = await Promise.all(chosen.map(check));
    if (options.json) terminal.out(json({ servers }));
    else {
      showTable(servers, STATUS_COLUMNS, terminal);
      for (const { error, name: failed } of servers) if (error) terminal.note(`${failed}: ${error.next}`);
    }
    return servers.every(({ ok }) => ok) ? 0 : 69;
  } finally {
    await upstreams.close();
  }
}

/** Signs in to a remote server by OAuth: its tokens go into the token file that the configuration names. */
export async function upstreamLogin(
  name: string,
  options: UpstreamOptions,
  terminal: Terminal,
): Promise<number> {
  const { configuration, settings } = await settingsOf(options, terminal);
  const { definition } = settingOf(name, settings);
  const { transport } = definition;
  if (transport.kind === 'stdio') {
    throw new ToolcribError('usage', `${name} is a process of this machine: there is nothing to sign in to.`);
  }
  if (transport.oauth === 'none' || transport.oauth?.tokenFile === undefined)
    throw noTokenFile(name, configuration);
  const { signInToUpstream } = await import('../../assembly/upstreams/open-upstreams.ts');
  const prompt = signInPrompt(name, terminal);
  await signInToUpstream(configuration, definition, {
    env: terminal.env,
    onUrl: prompt.onUrl,
    signal: AbortSignal.timeout(options.timeout ?? LOGIN_MS),
  }).finally(prompt.end);
  if (options.json) terminal.out(json({ server: name, signedIn: true }));
  else terminal.note(`Signed in to ${name}.`);
  return 0;
}

function noTokenFile(name: string, { mcpServers }: Configuration): ToolcribError {
  const message = `${name} names no file for its tokens, so that they would be gone when this command ends.`;
  const entry = Object.keys(mcpServers).find((given) => serverName(given) === name);
  if (entry === undefined) {
    return new ToolcribError('configuration_invalid', message, {
      pointer: `#/sources/${name}/mcp/oauth/tokenFile`,
      next: 'Set oauth.tokenFile for this server.',
    });
  }
  return new ToolcribError('configuration_invalid', message, {
    pointer: `#/mcpServers/${escapeToken(entry)}`,
    next: `An entry of mcpServers says nothing of sign-ins. Write the server under sources in its place: ${name}: { mcp: { url: …, oauth: { tokenFile: ./${name}-tokens.json } } }`,
  });
}

/** Signs out of a remote server: as `toolcrib logout` does, of upstream servers alone. */
export async function upstreamLogout(
  name: string,
  options: LogoutOptions,
  terminal: Terminal,
): Promise<number> {
  settingOf(name, (await settingsOf(options, terminal)).settings);
  const { logout } = await import('./logout.ts');
  return logout(name, options, terminal);
}

/** How long a person has to sign in, milliseconds. */
export const LOGIN_MS = 300_000;

async function settingsOf(
  options: UpstreamOptions,
  terminal: Terminal,
): Promise<{ readonly configuration: Configuration; readonly settings: readonly UpstreamSettings[] }> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  return {
    configuration,
    settings: Object.values(configuration.sources).flatMap((source) => upstreamOf(source) ?? []),
  };
}

function settingOf(name: string, settings: readonly UpstreamSettings[]): UpstreamSettings {
  const found = settings.find(({ definition }) => definition.name === name);
  if (found !== undefined) return found;
  const known = settings.map(({ definition }) => definition.name);
  const next = 'List them: `toolcrib upstream list`.';
  throw unknownSource(name, { known, what: 'upstream server', next });
}

function configured({ definition: { name, transport, era, share } }: UpstreamSettings): ConfiguredServer {
  return {
    name,
    transport: transport.kind,
    target: transport.kind === 'stdio' ? transport.command : shownLocation(transport.url),
    era,
    share,
    isolation: transport.kind === 'stdio' ? transport.isolation.mode : null,
  };
}
