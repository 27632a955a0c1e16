import type { Configuration } from '../config/configuration.ts';
import { DEFAULT_SURFACE, type TopologyRule } from '../config/topology.ts';
import type { ClientFacts, Grants, TopologyName } from '../operations/index.ts';

/**
 * The topology of each source for one caller. The client's own wish wins, then the first rule that fits the caller,
 * then what the source says, then the kind's own (manifests are flat), then the gateway's.
 */
export function topologyChoice(
  { topology, surface, sources }: Configuration,
  grants: Grants,
  client: ClientFacts | undefined,
  known: (name: TopologyName) => boolean,
): (source: string) => TopologyName {
  const wish = client?.topology;
  if (wish !== undefined && known(wish)) return () => wish;
  const rule = (surface ?? DEFAULT_SURFACE).rules.find((one) => fits(one, grants, client));
  if (rule !== undefined) return () => rule.name;
  return (source) => {
    const { topology: own, kind } = sources[source] ?? {};
    return own ?? (kind === 'manifest' ? 'flat' : topology);
  };
}

function fits(rule: TopologyRule, { principal, roles }: Grants, client: ClientFacts | undefined): boolean {
  return (
    (rule.client === undefined || (client?.name !== undefined && matches(client.name, rule.client))) &&
    (rule.role === undefined || roles.includes(rule.role)) &&
    (rule.user === undefined || rule.user === principal.id) &&
    (rule.organisation === undefined || rule.organisation === principal.organisation)
  );
}

/** `*` stands for any text; the pieces between are looked for in their order. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
