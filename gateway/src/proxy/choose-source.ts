import {
  type ConnectionStatus,
  type Grants,
  type Principal,
  reachesSource,
  type SourceGrant,
} from '../operations/index.ts';
import { REFUSALS, type Refusal } from './answers.ts';
import type { ProxySource } from './proxy-types.ts';

/** A source with what the caller may do with it now. */
export interface ChosenSource {
  readonly source: ProxySource;
  readonly grant: SourceGrant;
}

/**
 * The source that a provider's name stands for, for this caller. A provider that is known but not the connected
 * one answers as one that nobody knows: which providers a gateway has is not for every caller to find out.
 */
export function chooseSource(
  provider: string,
  sources: readonly ProxySource[],
  grants: Grants,
  principal: Principal,
): ChosenSource | Refusal {
  const reachable = sources.filter(({ name }) => reachesSource(principal, name));
  const [chosen] = reachable
    .filter((source) => source.provider.provider === provider || source.name === provider)
    .map((source) => ({ source, grant: grants.source(source.name) ?? nothing(source) }))
    .sort((a, b) => ORDER.indexOf(a.grant.connection) - ORDER.indexOf(b.grant.connection));
  if (chosen === undefined) return REFUSALS.unsupportedProvider(provider);
  const { category, name } = chosen.source;
  const { connection, level } = chosen.grant;
  if (connection === 'connected') return chosen;
  const another = reachable.some(
    (source) =>
      source.category === category &&
      source.name !== name &&
      grants.source(source.name)?.connection === 'connected',
  );
  if (another && connection !== 'unauthenticated') return REFUSALS.unsupportedProvider(provider);
  const switchedOff = connection === 'disabled' || level === 'disabled';
  return switchedOff ? REFUSALS.accessDisabled(category) : REFUSALS.notConnected(category);
}

const ORDER: readonly ConnectionStatus[] = ['connected', 'unauthenticated', 'disabled', 'missing'];

function nothing({ category }: ProxySource): SourceGrant {
  return { level: 'none', category, admin: null, user: null, connection: 'missing' };
}
