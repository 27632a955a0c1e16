import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AzureEntry, CredentialOverride } from '../../config/index.ts';
import type { CredentialSettings, PlainReference, SecretReference } from '../../operations/index.ts';
import { type SurfaceOptions, surfaceWords, withSurfaceOptions } from './surface-options.ts';

/** What every command that opens a gateway understands. */
export interface SourceOptions extends SurfaceOptions {
  readonly config?: string;
  /** One resource group in place of documents and files; `toolcrib azure` says so. */
  readonly azure?: AzureEntry;
  readonly spec?: readonly string[];
  readonly topology?: string;
  readonly baseUrl?: readonly BaseUrlOption[];
  readonly auth?: readonly CredentialOverride[];
  readonly allowPrivate?: readonly string[];
  readonly header?: ReadonlyArray<readonly [string, string]>;
  readonly stateDir?: string;
  readonly json?: boolean;
}

interface BaseUrlOption {
  readonly source?: string;
  readonly url: string;
}

/** Adds them to a command; `serve` and `compile` take documents as arguments instead of `--spec`. */
export function withSourceOptions(command: Command, documents: 'arguments' | 'options'): Command {
  if (documents === 'options') {
    command.option('--spec <document>', 'OpenAPI document: path, URL, or - (repeatable)', gather);
  }
  command
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--base-url <url>', "replaces the document's servers; NAME=URL with several sources", baseUrl)
    .addOption(
      new Option(
        '--auth <scheme=secret>',
        'bearer=env:NAME, apiKey=env:NAME, basic=env:USER,env:PASSWORD or SCHEME=…; file:PATH and "command:gh auth token" work too (repeatable)',
      ).argParser(credential),
    )
    .option('--header <header>', "'Name: value' sent on every request (repeatable)", header)
    .option('--allow-private <host>', 'private or loopback host the documents may reach (repeatable)', gather)
    .option(
      '--topology <name>',
      'how operations become tools: auto, flat, hybrid, base, categories, search or discover',
    );
  return withSurfaceOptions(command)
    .option('--state-dir <folder>', 'where cache, artifacts and locks of plain documents lie')
    .option('--json', 'print JSON');
}

/** What was said about sources of this machine; with `--remote` none of it would count. */
export function settingsOfSources(options: SourceOptions): unknown[] {
  const { config, spec, topology, baseUrl, auth, header } = options;
  const stated = [config, spec, topology, baseUrl, auth, header].filter((given) => given !== undefined);
  return [...stated, ...surfaceWords(options)];
}

function gather(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function baseUrl(value: string, before: readonly BaseUrlOption[] | undefined): BaseUrlOption[] {
  const [, source, url] = /^(?:([A-Za-z][A-Za-z0-9_-]*)=)?(https?:\/\/.+)$/.exec(value) ?? [];
  if (url === undefined || !URL.canParse(url)) throw new InvalidArgumentError('Use an http or https URL.');
  return [...(before ?? []), source === undefined ? { url } : { source, url }];
}

function header(value: string, before: SourceOptions['header']): Array<readonly [string, string]> {
  const [, name, content] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/s.exec(value) ?? [];
  if (name === undefined || content === undefined || /[\r\n\0]/.test(content)) {
    throw new InvalidArgumentError("Use 'Name: value'.");
  }
  return [...(before ?? []), [name, content]];
}

/** `[SOURCE/]SCHEME=SECRET`; for a scheme of the document, whose type is not known yet, both readings are kept. */
function credential(value: string, before: readonly CredentialOverride[] | undefined): CredentialOverride[] {
  const [, source, scheme, text] = /^(?:([^/=]+)\/)?([^=]+)=(.+)$/s.exec(value) ?? [];
  if (scheme === undefined || text === undefined) throw new InvalidArgumentError('Use SCHEME=env:NAME.');
  const target = source === undefined ? {} : { source };
  const parts = text.split(',');
  const program = commandOf(text);
  if (scheme === 'basic' || (parts.length === 2 && program === undefined)) {
    const [username, password] = parts;
    if (username === undefined || password === undefined) {
      throw new InvalidArgumentError('Use basic=env:USER,env:PASSWORD.');
    }
    const basic = { username: reference(username), password: reference(password) };
    const settings: CredentialSettings = { basic };
    return [...(before ?? []), { ...target, ...(scheme === 'basic' ? {} : { scheme }), settings }];
  }
  const one = program ?? reference(text);
  if (scheme === 'bearer') return [...(before ?? []), { ...target, settings: { bearer: one } }];
  if (scheme === 'apiKey') return [...(before ?? []), { ...target, settings: { apiKey: one } }];
  return [...(before ?? []), { ...target, scheme, settings: { bearer: one, apiKey: one } }];
}

/** `command:gh auth token`: words without quotes; others are for the configuration file. */
function commandOf(text: string): SecretReference | undefined {
  const [, line] = /^command:\s*(\S.*)$/s.exec(text) ?? [];
  return line === undefined ? undefined : { command: line.trim().split(/\s+/) };
}

/** A secret on the command line stands in the process list for everyone: only references are taken. */
export function reference(text: string): PlainReference {
  const [, kind, name] = /^(env|file):(.+)$/s.exec(text) ?? [];
  if (kind === 'env' && name !== undefined) return { env: name };
  if (kind === 'file' && name !== undefined) return { file: name };
  throw new InvalidArgumentError(
    'A secret itself would stand in the process list; use env:NAME or file:PATH.',
  );
}
