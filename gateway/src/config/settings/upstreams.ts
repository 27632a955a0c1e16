import { ToolcribError } from '../../errors.ts';
import {
  escapeToken,
  type SecretReference,
  type TlsSettings,
  type UpstreamDefinition,
  type UpstreamOAuth,
} from '../../operations/index.ts';
import type { SourceConfiguration } from '../configuration.ts';
import { absolutePath } from '../directories.ts';
import { milliseconds } from '../measures.ts';
import { referencesWithAbsoluteFiles, type SecretContext } from '../secrets.ts';

/** Settings of a source of kind `mcp`, complete. */
export interface UpstreamSettings {
  readonly definition: UpstreamDefinition;
  /** Milliseconds that a start waits for the server's list. */
  readonly patienceMs: number;
}

/** What `mcp:` may hold, once its schema has checked it. */
export interface McpEntry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, SecretReference>>;
  readonly inherit?: readonly string[];
  readonly cwd?: string;
  readonly isolation?:
    | 'none'
    | 'bubblewrap'
    | {
        readonly mode: 'none' | 'bubblewrap';
        readonly network?: boolean;
        readonly read?: readonly string[];
        readonly write?: readonly string[];
      };
  readonly url?: string;
  readonly type?: 'http' | 'sse' | 'streamable-http';
  readonly headers?: Readonly<Record<string, SecretReference>>;
  readonly oauth?: UpstreamOAuth | 'none';
  readonly era?: UpstreamDefinition['era'];
  readonly share?: UpstreamDefinition['share'];
  readonly startTimeout?: string | number;
  readonly idle?: string | number;
  readonly hang?: string | number;
  readonly restart?: boolean;
  readonly patience?: string | number;
  /** Of an entry of `mcpServers`. */
  readonly unset?: UpstreamDefinition['unset'];
}

export const UPSTREAM_DEFAULTS = Object.freeze({
  startTimeoutMs: 30_000,
  idleMs: 600_000,
  /** Of a program. Many do their work in one thread, where a ping waits for the call before it; that one has ended is seen anyhow. */
  hangMs: 60_000,
  remoteHangMs: 30_000,
  patienceMs: 3_000,
});

/** One entry with defaults filled in and paths made absolute; secrets stay references. */
export function upstreamSettings(name: string, entry: McpEntry, context: SecretContext): UpstreamSettings {
  const { era = 'auto', share = 'one', restart = true } = entry;
  const measured = (value: string | number | undefined, otherwise: number) =>
    value === undefined ? otherwise : milliseconds(value);
  return {
    definition: {
      name,
      transport: entry.command === undefined ? addressOf(entry, context) : processOf(entry, context),
      era,
      share,
      startTimeoutMs: measured(entry.startTimeout, UPSTREAM_DEFAULTS.startTimeoutMs),
      idleMs: measured(entry.idle, UPSTREAM_DEFAULTS.idleMs),
      hangMs: measured(
        entry.hang,
        entry.command === undefined ? UPSTREAM_DEFAULTS.remoteHangMs : UPSTREAM_DEFAULTS.hangMs,
      ),
      restart,
      ...(entry.unset === undefined ? {} : { unset: entry.unset }),
    },
    patienceMs: measured(entry.patience, UPSTREAM_DEFAULTS.patienceMs),
  };
}

/** With the `tls` of its source. Throws `configuration_invalid` for a program, which speaks no TLS. */
export function certifiedUpstream(
  { definition, ...rest }: UpstreamSettings,
  tls: TlsSettings,
): UpstreamSettings {
  const { name, transport } = definition;
  if (transport.kind === 'stdio') {
    throw new ToolcribError(
      'configuration_invalid',
      `Source ${name} has tls, which means nothing to a server that is a program: it counts for one with a url.`,
      { pointer: `#/sources/${escapeToken(name)}/tls` },
    );
  }
  return { ...rest, definition: { ...definition, transport: { ...transport, tls } } };
}

/** Every upstream server of a configuration, for the room that runs them. */
export function upstreamDefinitions(
  sources: Readonly<Record<string, SourceConfiguration>>,
): readonly UpstreamDefinition[] {
  return Object.values(sources).flatMap((source) => upstreamOf(source)?.definition ?? []);
}

/** Undefined for a source of another kind. */
export function upstreamOf({ kind, settings }: SourceConfiguration): UpstreamSettings | undefined {
  return kind === 'mcp' ? (settings as UpstreamSettings) : undefined;
}

function processOf(
  { command = '', args = [], env = {}, inherit = [], cwd, isolation = 'none' }: McpEntry,
  context: SecretContext,
): UpstreamDefinition['transport'] {
  const absolute = (path: string) => absolutePath(path, context.baseDirectory, context.env);
  const {
    mode,
    network = true,
    read = [],
    write = [],
  } = typeof isolation === 'string' ? { mode: isolation } : isolation;
  return {
    kind: 'stdio',
    // a bare name is looked for in PATH; what has a folder is beside the configuration
    command: /^\.{0,2}[\\/]|^~[\\/]|^\.{1,2}$/.test(command) ? absolute(command) : command,
    args,
    env: referencesWithAbsoluteFiles(env, context),
    inherit,
    // what an isolated server can reach is named, the configuration's folder too
    ...(cwd === undefined && mode === 'bubblewrap' ? {} : { cwd: absolute(cwd ?? '.') }),
    isolation: { mode, network, read: read.map(absolute), write: write.map(absolute) },
  };
}

function addressOf(
  { url = '', type, headers = {}, oauth }: McpEntry,
  context: SecretContext,
): UpstreamDefinition['transport'] {
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url,
    headers: referencesWithAbsoluteFiles(headers, context),
    ...(oauth === undefined ? {} : { oauth: oauth === 'none' ? oauth : oauthOf(oauth, context) }),
  };
}

function oauthOf(
  { clientId, clientSecret, tokenFile, ...rest }: UpstreamOAuth,
  context: SecretContext,
): UpstreamOAuth {
  const secrets = Object.entries({ clientId, clientSecret }).flatMap(([key, reference]) =>
    reference === undefined ? [] : [[key, reference] as const],
  );
  return {
    ...rest,
    ...referencesWithAbsoluteFiles(Object.fromEntries(secrets), context),
    ...(tokenFile === undefined
      ? {}
      : { tokenFile: absolutePath(tokenFile, context.baseDirectory, context.env) }),
  };
}
