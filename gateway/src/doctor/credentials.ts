import { access, constants } from 'node:fs/promises';
import type { Configuration, Environment, SourceConfiguration } from '../config/index.ts';
import { readSignIn } from '../credentials/sign-in/sign-in-record.ts';
import { readTokenFile } from '../credentials/sign-in/token-file.ts';
import { asToolcribError } from '../errors.ts';
import type { Finding } from './finding.ts';

interface Reference {
  readonly source: string;
  readonly at: string;
  readonly kind: 'env' | 'file';
  readonly name: string;
}

/** Whether every secret that the configuration refers to is there; names only, never values. */
export async function checkCredentials(configuration: Configuration, env: Environment): Promise<Finding[]> {
  const references = Object.entries(configuration.sources).flatMap(([source, { credentials }]) =>
    referencesIn(withNangoKey(credentials), source, 'credentials'),
  );
  const signIns = Object.entries(configuration.sources).flatMap(([source, { credentials }]) =>
    tokenFilesOf(credentials).map((file) => checkSignIn(source, file)),
  );
  return Promise.all([...references.map((reference) => checkReference(reference, env)), ...signIns]);
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

async function checkReference({ source, at, kind, name }: Reference, env: Environment): Promise<Finding> {
  const check = `credentials of ${source}`;
  const what = `${at} reads ${kind === 'env' ? `the environment variable ${name}` : name}`;
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

function referencesIn(value: unknown, source: string, at: string): Reference[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]): Reference[] =>
    (key === 'env' || key === 'file') && typeof member === 'string'
      ? [{ source, at, kind: key, name: member }]
      : referencesIn(member, source, `${at}.${key}`),
  );
}
