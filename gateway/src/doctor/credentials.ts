import { access, constants } from 'node:fs/promises';
import type { Configuration, Environment, SourceConfiguration } from '../config/index.ts';
import { INSTALL_PROGRAM } from '../credentials/secret-program.ts';
import { readSignIn } from '../credentials/sign-in/sign-in-record.ts';
import { readTokenFile } from '../credentials/sign-in/token-file.ts';
import { asToolcribError } from '../errors.ts';
import { isObject } from '../operations/index.ts';
import { isWrittenReference } from '../operations/secret-references.ts';
import { findProgram } from '../sandbox/index.ts';
import type { Finding } from './finding.ts';

interface Reference {
  /** What the finding is called. */
  readonly check: string;
  readonly at: string;
  readonly kind: 'env' | 'file' | 'command';
  /** Of a program its name, or where it lies. */
  readonly name: string;
}

/** One secret, wherever it is named: a variable that is missing is one fault. */
interface Secret extends Pick<Reference, 'kind' | 'name'> {
  readonly checks: readonly string[];
  readonly places: readonly string[];
}

/** Whether every secret that the configuration refers to is there; names only, never values. */
export async function checkCredentials(configuration: Configuration, env: Environment): Promise<Finding[]> {
  const { sources, webhooks, artifacts, search, chat, auth } = configuration;
  const references = [
    ...Object.entries(sources).flatMap(([source, { kind, credentials, settings }]) => [
      ...referencesIn(withNangoKey(credentials), `credentials of ${source}`, 'credentials'),
      // a provider reads its key when it is first asked
      ...(kind === 'web' ? referencesIn(withBraveKeys(settings), `credentials of ${source}`, 'web') : []),
    ]),
    ...referencesIn(artifacts.place, 'artifacts', 'store'),
    ...webhooks.flatMap(({ name, secret }) => referencesIn(secret, `webhook ${name}`, 'secret')),
    ...referencesIn(search?.embeddings, 'search', 'embeddings'),
    ...referencesIn(chat, 'chat', 'chat'),
    ...referencesIn(auth.jwt?.console, 'console sign-in', 'auth.jwt.console'),
  ];
  const signIns = Object.entries(configuration.sources).flatMap(([source, { credentials }]) =>
    tokenFilesOf(credentials).map((file) => checkSignIn(source, file)),
  );
  return Promise.all([...secretsOf(references).map((secret) => checkSecret(secret, env)), ...signIns]);
}

function tokenFilesOf(credentials: SourceConfiguration['credentials']): readonly string[] {
  if (credentials === undefined || credentials === 'none') return [];
  const settings = [credentials, ...Object.values(credentials.schemes ?? {})];
  return [...new Set(settings.flatMap(({ oauth2 }) => oauth2?.tokenFile ?? []))];
}

/** Whether a person has signed in, and until when that holds. */
async function checkSignIn(source: string, file: string): Promise<Finding> {
  const check = `credentials of ${source}`;
  const next = `Sign in: \`toolcrib login ${source}\`.`;
  try {
    const record = await readTokenFile(file, readSignIn);
    if (record === undefined) {
      return { check, status: 'error', message: `Nobody has signed in; ${file} is not there.`, next };
    }
    const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = record;
    if (refreshToken === undefined && expiresAt <= Date.now())
      return { check, status: 'error', message: 'The sign-in has ended, and cannot be renewed.', next };
    return { check, status: 'ok', message: `somebody has signed in; the tokens are kept in ${file}` };
  } catch (error) {
    const { message, next: mend } = asToolcribError(error);
    return { check, status: 'error', message, next: mend };
  }
}

/** Nango's key comes from its usual variable where the configuration names none. */
function withNangoKey(credentials: SourceConfiguration['credentials']): unknown {
  if (credentials === undefined || credentials === 'none' || credentials.nango === undefined)
    return credentials;
  return { ...credentials, nango: { secretKey: { env: 'NANGO_SECRET_KEY' }, ...credentials.nango } };
}

/** Brave's key comes from its usual variable where a provider names none. */
function withBraveKeys(settings: unknown): unknown {
  if (settings === 'brave') return { apiKey: { env: 'BRAVE_API_KEY' } };
  if (Array.isArray(settings)) return settings.map(withBraveKeys);
  if (!isObject(settings)) return settings;
  if (settings['provider'] === 'brave') return { apiKey: { env: 'BRAVE_API_KEY' }, ...settings };
  return Object.fromEntries(Object.entries(settings).map(([key, member]) => [key, withBraveKeys(member)]));
}

function secretsOf(references: readonly Reference[]): Secret[] {
  const same = Map.groupBy(references, ({ kind, name }) => `${kind}:${name}`);
  return [...same.values()].map((all) => {
    const { kind, name } = all[0]!;
    const [checks, places] = [all.map(({ check }) => check), all.map(({ at }) => at)];
    return { kind, name, checks: [...new Set(checks)], places: [...new Set(places)] };
  });
}

async function checkSecret({ checks, places, kind, name }: Secret, env: Environment): Promise<Finding> {
  const check = checks.join(', ');
  const reads = `${places.join(', ')} ${places.length === 1 ? 'reads' : 'read'}`;
  if (kind === 'command') return checkProgram(check, `${places.join(', ')}: ${name} prints it`, name, env);
  const what = `${reads} ${kind === 'env' ? `the environment variable ${name}` : name}`;
  if (kind === 'env') {
    const set = (env[name] ?? '') !== '';
    return set
      ? { check, status: 'ok', message: `${what}, which is set` }
      : {
          check,
          status: 'error',
          message: `${what}, which is not set.`,
          next: `Set ${name} before you start Toolcrib.`,
        };
  }
  return access(name, constants.R_OK).then(
    () => ({ check, status: 'ok', message: `${what}, which can be read` }),
    (error: Error) => ({
      check,
      status: 'error',
      message: `${what}: ${error.message}.`,
      next: 'Create the file, readable for you alone.',
    }),
  );
}

/** It is not run: some ask their person first. */
async function checkProgram(check: string, what: string, name: string, env: Environment): Promise<Finding> {
  const found = await findProgram(name, env['PATH'] ?? env['Path'], '/');
  return found === undefined
    ? {
        check,
        status: 'error',
        message: `${what}, and there is no such program.`,
        next: INSTALL_PROGRAM,
      }
    : { check, status: 'ok', message: `${what}, which is there (not run)` };
}

function referencesIn(value: unknown, check: string, at: string): Reference[] {
  if (value === null || typeof value !== 'object') return [];
  if (isWrittenReference(value) && 'command' in value)
    return [{ check, at, kind: 'command', name: value.command[0] ?? '' }];
  return Object.entries(value).flatMap(([key, member]): Reference[] =>
    (key === 'env' || key === 'file') && typeof member === 'string'
      ? [{ check, at, kind: key, name: member }]
      : referencesIn(member, check, `${at}.${key}`),
  );
}
