import type { ConnectionStatus, Grants, Principal, SourceGrant, ToolChoice } from '../operations/index.ts';
import { effectiveLevel } from './effective-access.ts';
import type { SourceAccess } from './source-access.ts';

/**
 * What the owner of the process may do: everything that the configuration connects. A source that is not listed
 * in `sources` grants nothing; one whose account is not connected is hidden, or listed where it says so.
 */
export function localGrants(
  principal: Principal,
  sources: Readonly<Record<string, SourceAccess>>,
  tools: ToolChoice = 'dynamic',
): Grants {
  const granted = new Map(Object.entries(sources).map(([name, source]) => [name, localGrant(source)]));
  return Object.freeze({
    principal,
    stamp: `local:${JSON.stringify([principal.maxAccess, principal.roles, principal.sources, tools, [...granted]])}`,
    roles: principal.roles,
    permissions: [],
    features: [],
    tools,
    source: (name: string) => granted.get(name),
  });
}

function localGrant(source: SourceAccess): SourceGrant {
  const connection: ConnectionStatus =
    source.connection ?? (source.connections === 'shared' ? 'connected' : 'missing');
  return Object.freeze<SourceGrant>({
    level: effectiveLevel({ admin: 'read-write', user: 'read-write', connection }),
    category: source.category,
    admin: 'read-write',
    user: 'read-write',
    connection,
    whenUnauthenticated: source.whenUnauthenticated,
    reasons: { admin: 'the owner of the process', user: 'the owner of the process' },
    ...(source.skills === undefined ? {} : { skills: source.skills }),
  });
}
