import { isKeptFrom, keptArguments, passwordIn } from '../credentials/message-echoes.ts';
import type { SecretReader } from '../credentials/secret-reference.ts';
import type { SecretReference } from '../operations/index.ts';
import type { UpstreamTransport } from './upstreams.ts';

/** What a program needs to run at all; everything else of our environment stays here. */
const PROGRAM_VARIABLES: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'ProgramData',
        'ProgramFiles',
        'SystemDrive',
        'SystemRoot',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'windir',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

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
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const variable of [...PROGRAM_VARIABLES, ...transport.inherit]) {
    const value = secrets.env[variable];
    // an exported shell function is code, not data
    if (value === undefined || value.startsWith('()')) continue;
    environment[variable] = value;
    const isNamed = transport.inherit.includes(variable) && value.trim() !== '';
    // read for its announcement: logs leave it out
    if (isNamed && isSecret(variable, '')) await secrets.read({ env: variable }, `${name}.inherit`, signal);
  }
  for (const [variable, reference] of Object.entries(transport.env)) {
    const nature = isSecret(variable, reference) ? 'secret' : 'public';
    environment[variable] = await secrets.read(reference, `${name}.env.${variable}`, signal, nature);
  }
  return environment;
}

/** Configurations of other clients hold secrets as plain values: the variable's name tells. */
function isSecret(variable: string, reference: SecretReference): boolean {
  return typeof reference !== 'string' || /KEY|TOKEN|SECRET|PASS|AUTH|CRED|PRIVATE/i.test(variable);
}

/** The values in a process's environment that must not be seen in what it prints. */
export function secretValues(
  transport: StdioTransport,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const inherited = transport.inherit.filter((variable) => isSecret(variable, ''));
  const set = Object.entries(transport.env)
    .filter(([variable, reference]) => isSecret(variable, reference))
    .map(([variable]) => variable);
  return [...inherited, ...set].flatMap((variable) => environment[variable] ?? []);
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
