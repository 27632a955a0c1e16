import { z } from 'zod';
import { allowsReading } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import type { SourceState } from '../../admin/gateway-sources.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { SOURCE_STATE } from './source-schemas.ts';

export const listSources = route({
  method: 'get',
  path: '/api/v1/sources',
  operationId: 'listSources',
  summary: 'List the sources and how their last read went',
  description:
    'A user sees those that the own level opens, without what concerns the operator alone: errors, counts of what was left out, drift, processes.',
  access: 'read',
  tag: 'catalog',
  response: {
    description: 'Sources in the order of the configuration.',
    schema: z.object({ sources: z.array(SOURCE_STATE) }),
  },
  handle: async (_input, { gateway, principal }) => {
    const { sources } = await profileOf(gateway, principal);
    const profiles = new Map(sources.map((profile) => [profile.name, profile]));
    const states = await statesOf(gateway);
    const connected = states.map((state) => {
      const connection = profiles.get(state.name)?.connection;
      return connection === undefined ? state : { ...state, connection };
    });
    if (principal.kind !== 'user') return { sources: connected };
    const opened = connected.filter(({ name }) => {
      const level = profiles.get(name)?.level;
      return level !== undefined && allowsReading(level);
    });
    return { sources: opened.map(shownToUser) };
  },
});

/** What a user of a source may know of it. */
export function shownToUser(state: SourceState & { readonly connection?: unknown }): object {
  const { name, kind, health, fingerprint, operations, stale, provider, connection } = state;
  const known = { name, kind, health, fingerprint, operations, provider, connection };
  if (stale === undefined) return known;
  // the message names files and addresses of the operator
  return { ...known, stale: { since: stale.since, message: 'It could not be read again since.' } };
}

/** Where there is no configuration of sources, what was compiled is all that is known. */
async function statesOf(gateway: GatewayAdmin): Promise<readonly SourceState[]> {
  if (gateway.sources !== undefined) return gateway.sources.list();
  return gateway.view().catalog.sources.map(({ provider: _provider, ...source }) => ({
    ...source,
    health: source.stale === undefined ? 'ok' : 'stale',
    tools: source.operations,
    skipped: 0,
    diagnostics: { error: 0, warning: 0, info: 0 },
    drift: { waiting: 0, rejected: 0 },
    origin: 'start',
  }));
}
