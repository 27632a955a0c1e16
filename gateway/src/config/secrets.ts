import { readFileSync } from 'node:fs';
import { ToolcribError } from '../errors.ts';
import type { CredentialSettings, PlainReference, SecretReference } from '../operations/index.ts';
import { isWrittenReference } from '../operations/secret-references.ts';
import { absolutePath, type Environment } from './directories.ts';

export interface SecretContext {
  readonly env: Environment;
  readonly baseDirectory: string;
}

/**
 * The value behind a reference that is needed at start; a missing one is an error, never an empty string. `pointer`: of
 * the reference in the configuration file, if it stands there.
 */
export function resolveSecret(
  reference: PlainReference,
  where: string,
  context: SecretContext,
  pointer?: string,
): string {
  if (typeof reference === 'string') return reference;
  if ('env' in reference) {
    const value = context.env[reference.env];
    if (value !== undefined && value !== '') return value;
    throw new ToolcribError(
      'credentials_missing',
      `${where} reads the environment variable ${reference.env}, which is not set.`,
      {
        ...(pointer === undefined ? {} : { pointer }),
        next: `Set ${reference.env} in the environment of this program and start again.`,
      },
    );
  }
  const file = absolutePath(reference.file, context.baseDirectory, context.env);
  const place = pointer === undefined ? { location: file } : { pointer };
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value !== '') return value;
  } catch (error) {
    throw new ToolcribError('credentials_missing', `${where} cannot be read: ${(error as Error).message}.`, {
      ...place,
      cause: error,
    });
  }
  throw new ToolcribError('credentials_missing', `${where} is an empty file: ${file}.`, place);
}

/** A reference whose file, or program, is found from any folder. */
export function withAbsoluteFile(
  reference: SecretReference,
  { baseDirectory, env }: SecretContext,
): SecretReference {
  if (typeof reference === 'string' || 'env' in reference) return reference;
  if ('file' in reference) return { file: absolutePath(reference.file, baseDirectory, env) };
  const [program = '', ...args] = reference.command;
  // a bare name is looked for in the PATH
  const found = /[\\/]/.test(program) ? absolutePath(program, baseDirectory, env) : program;
  return { command: [found, ...args], folder: baseDirectory };
}

/** References whose files are found from any folder, by the names that they have. */
export function referencesWithAbsoluteFiles(
  references: Readonly<Record<string, SecretReference>>,
  context: SecretContext,
): Readonly<Record<string, SecretReference>> {
  return Object.fromEntries(
    Object.entries(references).map(([name, reference]) => [name, withAbsoluteFile(reference, context)]),
  );
}

/** One way to authenticate with the files of its references made absolute; values stay unread until a call needs them. */
export function settingsWithAbsoluteFiles(
  settings: CredentialSettings,
  context: SecretContext,
): CredentialSettings {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    if (isWrittenReference(value)) return withAbsoluteFile(value, context);
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      entries.map(([key, member]) => [
        key,
        key === 'tokenFile' && typeof member === 'string'
          ? absolutePath(member, context.baseDirectory, context.env)
          : walk(member),
      ]),
    );
  };
  return walk(settings) as CredentialSettings;
}
