import type { Configuration, Environment } from '../config/index.ts';
import { SERVER_KEYS } from '../config/settings/mcp-servers.ts';
import { isToolList } from '../config/settings/server-tools.ts';
import { upstreamDefinitions } from '../config/settings/upstreams.ts';
import { ERRORS } from '../errors.ts';
import type { SecretReference, UpstreamDefinition } from '../operations/index.ts';
import { findProgram } from '../sandbox/index.ts';
import type { Finding } from './finding.ts';

/**
 * What each upstream server needs before it can start: its command, its isolation, the variables that it reads.
 * Whether it answers is what its source says; `toolcrib upstream status` tries it alone.
 */
export async function checkUpstreams(configuration: Configuration, env: Environment): Promise<Finding[]> {
  const definitions = upstreamDefinitions(configuration.sources);
  const findings = await Promise.all(definitions.map((definition) => findingsOf(definition, env)));
  return [...findings.flat(), ...foreignKeys(configuration)];
}

async function findingsOf(
  { name, transport, unset = [] }: UpstreamDefinition,
  env: Environment,
): Promise<Finding[]> {
  const check = `upstream ${name}`;
  const within = unset.map(({ place, variable }) => notSet(check, place, variable));
  if (transport.kind !== 'stdio') return [...within, ...missingVariables(check, transport.headers, env)];
  const findings = [...within, ...missingVariables(check, transport.env, env)];
  if (unset.some(({ place }) => place === 'command')) return findings;
  const command = await findProgram(transport.command, env['PATH'], transport.cwd ?? process.cwd());
  findings.push(
    command === undefined
      ? {
          check,
          status: 'error',
          message: `the command ${transport.command} is not found`,
          next: 'Install it, or name it with its folder.',
        }
      : { check, status: 'ok', message: `its program is there: ${command}` },
  );
  if (
    transport.isolation.mode === 'bubblewrap' &&
    (await findProgram('bwrap', env['PATH'], '/')) === undefined
  ) {
    findings.push({
      check,
      status: 'error',
      message: 'its isolation needs bubblewrap, and bwrap is not found',
      next: ERRORS.isolation_unavailable.next,
    });
  }
  return findings;
}

function missingVariables(
  check: string,
  references: Readonly<Record<string, SecretReference>>,
  env: Environment,
): Finding[] {
  return Object.entries(references).flatMap(([name, reference]): Finding[] =>
    typeof reference === 'string' || !('env' in reference) || env[reference.env] !== undefined
      ? []
      : [notSet(check, name, reference.env)],
  );
}

function notSet(check: string, place: string, variable: string): Finding {
  return {
    check,
    status: 'error',
    message: `${place} reads the environment variable ${variable}, which is not set.`,
    next: `Set ${variable} before you start Toolcrib.`,
  };
}

const KNOWN: ReadonlySet<string> = new Set([...SERVER_KEYS, 'disabled', 'enabled']);

/** What other clients say in an entry and we do not do. */
function foreignKeys({ mcpServers }: Configuration): Finding[] {
  return Object.entries(mcpServers).flatMap(([name, entry]): Finding[] => {
    const keys = Object.entries(entry)
      .filter(([key, value]) => !KNOWN.has(key) && !isToolList(key, value))
      .map(([key]) => key);
    if (keys.length === 0) return [];
    return [
      {
        check: `upstream ${name}`,
        status: 'info',
        message: `${keys.join(', ')} in mcpServers mean nothing here`,
      },
    ];
  });
}
