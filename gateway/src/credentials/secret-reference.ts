import { readFile } from 'node:fs/promises';
import { ToolcribError } from '../errors.ts';
import type { PlainReference, SecretCommand, SecretReference } from '../operations/index.ts';
import { trimEndsOf } from '../operations/text/trim-runs.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads secrets at call time; every value read is announced, so that logs can leave it out. */
export interface SecretReader {
  /**
   * Throws `credentials_missing` when the variable or file is absent, or empty where that is not allowed, and where the
   * program fails that is to print it.
   * `place` names the configuration key. What is `public` (a user name, a client id) is not announced.
   */
  read(
    reference: SecretReference,
    place: string,
    signal: AbortSignal,
    nature?: 'secret' | 'public' | 'empty',
  ): Promise<string>;
  /** A service refused what was read. True where a fresh one may be had: a program printed it. */
  refused(reference: SecretReference, secret: string): boolean;
  readonly env: Environment;
}

export function createSecretReader(env: Environment, announce: (secret: string) => void): SecretReader {
  let programs: typeof import('./secret-program.ts') | undefined;
  const printed = async (reference: SecretCommand, place: string, signal: AbortSignal) => {
    programs ??= await import('./secret-program.ts');
    return programs.programSecret(reference, place, env, signal).catch(orCancelled(signal));
  };
  return {
    env,
    refused: (reference, secret) =>
      isProgram(reference) && (programs?.forgetProgramSecret(reference, secret, env) ?? false),
    async read(reference, place, signal, nature = 'secret') {
      const secret = isProgram(reference)
        ? await printed(reference, place, signal)
        : await textOf(reference, place, env, signal);
      if (secret === '' && nature !== 'empty')
        throw missing(`${describeReference(reference)} for ${place} is empty.`);
      if (nature !== 'public' && secret !== '') announce(secret);
      return secret;
    },
  };
}

async function textOf(
  reference: PlainReference,
  place: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string> {
  if (typeof reference === 'string') return reference;
  if ('env' in reference) {
    const value = env[reference.env];
    if (value === undefined)
      throw missing(`The environment variable ${reference.env}, named by ${place}, is not set.`);
    return value.trim();
  }
  try {
    return (await readFile(reference.file, { encoding: 'utf8', signal })).trim();
  } catch (cause) {
    if (signal.aborted) orCancelled(signal)(cause);
    throw missing(`The file ${reference.file}, named by ${place}, cannot be read.`, cause);
  }
}

function isProgram(reference: SecretReference): reference is SecretCommand {
  return typeof reference === 'object' && 'command' in reference;
}

/** What went wrong, or that nobody waited any more. */
function orCancelled(signal: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    if (!signal.aborted) throw cause;
    throw new ToolcribError('cancelled', 'The call ended while a credential was read.', { cause });
  };
}

/** For messages: where a secret stands, never the secret. */
export function describeReference(reference: SecretReference): string {
  if (typeof reference === 'string') return 'The value';
  if ('command' in reference) return `What the program ${reference.command[0]} prints`;
  return 'env' in reference ? `The environment variable ${reference.env}` : `The file ${reference.file}`;
}

function missing(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('credentials_missing', message, cause === undefined ? {} : { cause });
}

/** `TOOLCRIB_<SOURCE>_<SCHEME>`, upper snake case: `github` and `bearerAuth` give `TOOLCRIB_GITHUB_BEARER_AUTH`. */
export function environmentName(source: string, scheme: string): string {
  return ['TOOLCRIB', snake(source), snake(scheme)].join('_');
}

function snake(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return trimEndsOf(words, '_').toUpperCase();
}
