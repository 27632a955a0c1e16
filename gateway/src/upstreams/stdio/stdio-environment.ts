import { isKeptFrom, isPathOfSecrets, keptArguments, passwordIn } from '../../credentials/message-echoes.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { SecretReference } from '../../operations/index.ts';
import type { UpstreamTransport } from '../upstreams.ts';

/** What a program needs to run at all; everything else of our environment stays here. */
const POSIX_VARIABLES: readonly string[] = [
  ...['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
];
const WINDOWS_VARIABLES: readonly string[] = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'ProgramData', 'ProgramFiles', 'SystemDrive', 'SystemRoot', 'TEMP', 'TMP'],
  ...['USERNAME', 'USERPROFILE', 'windir'],
];

export type StdioTransport = Extract<UpstreamTransport, { kind: 'stdio' }>;

/**
 * The whole environment of a stdio server: what programs need, what `inherit` names, what `env` sets. Throws
 * `credentials_missing` for a reference that leads nowhere.
 */
export async function stdioEnvironment(
  name: string,
  transport: StdioTransport,
  secrets: SecretReader,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  const isWindows = platform === 'win32';
  const put = (variable: string, value: string) => {
    if (isWindows) forget(environment, variable);
    environment[variable] = value;
  };
  for (const variable of [...(isWindows ? WINDOWS_VARIABLES : POSIX_VARIABLES), ...transport.inherit]) {
    const value = secrets.env[variable];
    // an exported shell function is code, not data
    if (value === undefined || value.startsWith('()')) continue;
    put(variable, value);
    const isNamed = transport.inherit.includes(variable) && value.trim() !== '';
    // read for its announcement: logs leave it out
    if (isNamed && isSecret(variable, undefined, value))
      await secrets.read({ env: variable }, `${name}.inherit`, signal);
  }
  for (const [variable, reference] of Object.entries(transport.env)) {
    const nature = isSecret(variable, reference, givenBy(reference, secrets)) ? 'secret' : 'public';
    put(variable, await secrets.read(reference, `${name}.env.${variable}`, signal, nature));
  }
  return environment;
}

/** What stands there, or in our environment; a file is not read for it. */
function givenBy(reference: SecretReference, { env }: SecretReader): string {
  if (typeof reference === 'string') return reference;
  return 'env' in reference ? (env[reference.env] ?? '') : '';
}

/** `Path` and `PATH` are one variable on Windows, which would take the one that it finds first. */
function forget(environment: Record<string, string>, variable: string): void {
  for (const known of Object.keys(environment))
    if (known.toUpperCase() === variable.toUpperCase()) delete environment[known];
}

/**
 * Configurations of other clients hold secrets as plain values: the variable's name tells. `reference`: undefined where
 * the variable is inherited.
 */
function isSecret(variable: string, reference: SecretReference | undefined, value: string): boolean {
  if (isPathOfSecrets(reference ?? { env: variable }, value)) return false;
  const isReferred = reference !== undefined && typeof reference !== 'string';
  return isReferred || /KEY|TOKEN|SECRET|PASS|AUTH|CRED|PRIVATE/i.test(variable);
}

/** The values in a process's environment that must not be seen in what it prints. */
export function secretValues(
  { inherit, env }: StdioTransport,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const inherited = inherit.map((variable) => [variable, undefined] as const);
  return [...inherited, ...Object.entries(env)].flatMap(([variable, reference]) => {
    const value = environment[variable];
    return value !== undefined && isSecret(variable, reference, value) ? [value] : [];
  });
}

/** The values that it and its arguments hold and that must not come back in what the process answers. */
export function keptValues(
  { args, inherit, env }: StdioTransport,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const references = [
    ...inherit.map((variable) => [variable, { env: variable }] as const),
    ...Object.entries(env),
  ];
  const values = references.flatMap(([variable, reference]) => {
    const value = environment[variable] ?? '';
    return isKeptFrom(variable, reference, value) ? [value] : passwordIn(value);
  });
  return [...values, ...keptArguments(args)];
}
