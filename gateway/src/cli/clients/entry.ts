import { resolve } from 'node:path';
import { absolutePath } from '../../config/index.ts';
import { SHIPPED_PRESETS } from '../../config/settings/presets.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { VERSION } from '../../version.ts';
import { sourceWords } from '../command-line.ts';
import { type NarrowingOptions, narrowingWords } from '../options/narrowing-options.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { quickstartFile } from '../quickstart.ts';
import { remoteAddress } from '../remote/remote-address.ts';
import { DEFAULT_KEY } from '../remote/remote-key.ts';
import type { RemoteOptions } from '../remote/remote-options.ts';
import { fromWorkingDirectory, type ResolvedConfiguration } from '../resolve-configuration.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Client, StdioEntry } from './client.ts';
import { lastingProgram } from './lasting-program.ts';

/**
 * The command that a client starts. Clients start it anywhere and without the user's shell, so the program,
 * the configuration, the documents and whatever else lies in a file stand there with absolute paths.
 */
export function stdioEntry(
  client: Client,
  { configuration, origin }: ResolvedConfiguration,
  options: SourceOptions & NarrowingOptions,
  { cwd, env, platform }: Terminal,
): StdioEntry {
  const documents = (options.spec ?? []).map((one) =>
    /^(https?|file):/i.test(one) ? one : resolve(cwd, one),
  );
  const file = origin === 'quickstart' ? quickstartFile() : configuration.file;
  const { spec: _spec, config: _config, ...others } = options;
  const { auth, preset, stateDir } = others;
  const placed = {
    ...others,
    ...(auth && { auth: auth.map((one) => fromWorkingDirectory(one, cwd)) }),
    ...(preset && { preset: SHIPPED_PRESETS.includes(preset) ? preset : absolutePath(preset, cwd, env) }),
    ...(stateDir && { stateDir: absolutePath(stateDir, cwd, env) }),
  };
  const words = ['serve', ...documents, '--stdio', ...sourceWords([], placed), ...narrowingWords(options)];
  if (file !== undefined && documents.length === 0) words.push('--config', file);
  const started = startedBy(platform);
  return {
    ...(client.statesType ? { type: 'stdio' } : {}),
    command: started[0]!,
    args: [...started.slice(1), ...words],
  };
}

/**
 * The command with which a client reaches a team gateway. The key stays where it is: the entry names its variable
 * or file.
 */
export function remoteEntry(
  client: Client,
  { remote, key, allowPrivate }: RemoteOptions,
  { cwd, env, platform }: Terminal,
): StdioEntry {
  const reference = key ?? DEFAULT_KEY;
  const words = ['serve', '--stdio', '--remote', remoteAddress(remote, allowPrivate).text];
  if (typeof reference !== 'string' && 'file' in reference) {
    words.push('--key', `file:${absolutePath(reference.file, cwd, env)}`);
  } else if (typeof reference !== 'string') words.push('--key', `env:${reference.env}`);
  for (const host of allowPrivate ?? []) words.push('--allow-private', host);
  const name = typeof reference !== 'string' && 'env' in reference ? reference.env : undefined;
  const started = startedBy(platform);
  return {
    ...(client.statesType ? { type: 'stdio' } : {}),
    command: started[0]!,
    args: [...started.slice(1), ...words],
    ...(name === undefined || client.variable === undefined
      ? {}
      : { env: { [name]: client.variable(name) } }),
  };
}

/** npx's own folder is cleaned now and then: there the entry runs npx again. */
function startedBy(platform: NodeJS.Platform): string[] {
  const script = process.argv[1] ?? '';
  if (!/[\\/]_npx[\\/]/.test(script)) return [lastingProgram(process.execPath), resolve(script)];
  const npx = ['npx', '-y', `toolcrib@${VERSION}`];
  return platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
}

/** How an entry starts its server: what `connect` writes anew. */
const OF_START: ReadonlySet<string> = new Set(
  'type command args env env_vars environment cwd url headers enabled disabled'.split(' '),
);

/** What an entry that is there says besides: which tools its person trusts, how long the client waits. */
export function settingsBeside(existing: unknown): JsonObject {
  if (!isObject(existing)) return {};
  return Object.fromEntries(Object.entries(existing).filter(([key]) => !OF_START.has(key)));
}

/** Recognises an entry that `connect` wrote, or would have. */
export function isOurs(entry: unknown): boolean {
  return /toolcrib/.test(JSON.stringify(entry ?? null)) && /"serve"/.test(JSON.stringify(entry));
}
