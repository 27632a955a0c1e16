import { basename, relative } from 'node:path';
import { singleQuoted } from '../operations/text/single-quoted.ts';
import type { SourceOptions } from './options/source-options.ts';
import { surfaceWords } from './options/surface-options.ts';
import type { Terminal } from './terminal/terminal.ts';

/** How this program was started, as words that start it again. */
export function invocation({ env, cwd }: Terminal, script = process.argv[1] ?? 'toolcrib'): string[] {
  if (env['npm_lifecycle_event'] !== undefined || env['npm_command'] !== undefined)
    return ['npx', 'toolcrib'];
  if (basename(script) === 'toolcrib') return ['toolcrib'];
  const path = relative(cwd, script);
  return ['node', path.startsWith('..') ? script : path];
}

/** A command that a person can copy: it starts this program as it was started. */
export function runnable(terminal: Terminal, ...words: string[]): string {
  return shellLine([...invocation(terminal), ...words], terminal.platform);
}

/** The options that lead another command to the same sources. */
export function sourceWords(documents: readonly string[], options: SourceOptions): string[] {
  const words = documents.flatMap((document) => ['--spec', document]);
  if (options.config !== undefined) words.push('--config', options.config);
  for (const { source, url } of options.baseUrl ?? []) {
    words.push('--base-url', source === undefined ? url : `${source}=${url}`);
  }
  for (const { source, scheme, settings } of options.auth ?? []) {
    const name = scheme ?? Object.keys(settings)[0] ?? 'bearer';
    words.push('--auth', `${source === undefined ? '' : `${source}/`}${name}=${secretText(settings)}`);
  }
  for (const [name, value] of options.header ?? []) words.push('--header', `${name}: ${value}`);
  for (const host of options.allowPrivate ?? []) words.push('--allow-private', host);
  if (options.topology !== undefined) words.push('--topology', options.topology);
  words.push(...surfaceWords(options));
  if (options.stateDir !== undefined) words.push('--state-dir', options.stateDir);
  return words;
}

/** The command that signs in at the console of a gateway with these options. The port where it is not the configured one. */
export function consoleWords({ config, stateDir }: SourceOptions, port?: string): string[] {
  return [
    'console',
    ...(port === undefined ? [] : ['--port', port]),
    ...(config === undefined ? [] : ['--config', config]),
    ...(stateDir === undefined ? [] : ['--state-dir', stateDir]),
  ];
}

function secretText(settings: object): string {
  const [first] = Object.values(settings) as object[];
  const references = first !== undefined && 'username' in first ? Object.values(first) : [first];
  return references
    .map(
      (one) => Object.entries(one as object).map(([kind, name]) => `${kind}:${[name].flat().join(' ')}`)[0],
    )
    .join(',');
}

/** Words as one line for a POSIX shell; on Windows for PowerShell, and for cmd.exe as far as that can quote them. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map(platform === 'win32' ? windowsWord : shellWord).join(' ');
}

/** Both know double quotes, in which PowerShell reads some signs; its single quotes mean nothing to cmd.exe. */
function windowsWord(word: string): string {
  if (/^[A-Za-z0-9_=:./\\-]+$/.test(word)) return word;
  return /["$`]/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}
