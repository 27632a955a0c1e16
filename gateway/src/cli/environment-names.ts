import type { Configuration } from '../config/index.ts';
import { azureOf } from '../config/settings/azure.ts';

/** Where a source of kind `azure` with `authentication: envvar` finds its token. */
const ARM_TOKEN = 'ARM_MCP_AUTH_TOKEN';

/** Their settings hold secrets beside the credentials. */
const KINDS_WITH_SECRETS: ReadonlySet<string> = new Set(['openapi', 'n8n', 'mcp']);

/** Environment variables that the sources of a configuration read when they are reached; sorted. */
export function environmentNames({ sources }: Configuration): string[] {
  const names = new Set<string>();
  for (const source of Object.values(sources)) {
    collect(source.credentials, names);
    if (KINDS_WITH_SECRETS.has(source.kind)) collect(source.settings, names);
    if (azureOf(source)?.authentication === 'envvar') names.add(ARM_TOKEN);
  }
  return [...names].sort();
}

function collect(value: unknown, names: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'env' && typeof member === 'string') names.add(member);
    else collect(member, names);
  }
}
