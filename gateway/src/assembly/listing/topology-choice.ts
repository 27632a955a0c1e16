import type { Configuration } from '../../config/configuration.ts';
import { azureOf } from '../../config/settings/azure.ts';
import { DEFAULT_SURFACE, type TopologyRule, topologyName } from '../../config/settings/topology.ts';
import type { ClientFacts, Grants, TopologyName } from '../../operations/index.ts';
import { matchesTextGlob } from '../../operations/text/text-glob.ts';

/** Kinds whose operations somebody chose already. */
const FLAT_KINDS: ReadonlySet<string> = new Set(['manifest', 'azure', 'skills']);

/**
 * The topology of each source for one caller. The client's own wish wins, then the first rule that fits the caller,
 * then what the source says, then the kind's own (manifests, connectors and skills are flat), then the gateway's.
 */
export function topologyChoice(
  { topology, surface, sources }: Configuration,
  grants: Grants,
  client: ClientFacts | undefined,
  known: (name: TopologyName) => boolean,
): (source: string) => TopologyName {
  const wish = client?.topology === undefined ? undefined : topologyName(client.topology);
  if (wish !== undefined && known(wish)) return () => wish;
  const rule = (surface ?? DEFAULT_SURFACE).rules.find((one) => fits(one, grants, client));
  if (rule !== undefined) return () => rule.name;
  return (source) => {
    const configured = sources[source];
    if (configured === undefined) return topology;
    const { kind, topology: own = FLAT_KINDS.has(kind) ? 'flat' : topology } = configured;
    const isCapped = own === 'flat' && azureOf(configured)?.maxToolsPerApi !== undefined;
    return isCapped ? 'capped' : own;
  };
}

function fits(rule: TopologyRule, { principal, roles }: Grants, client: ClientFacts | undefined): boolean {
  return (
    (rule.client === undefined ||
      (client?.name !== undefined &&
        matchesTextGlob(client.name.toLowerCase(), rule.client.toLowerCase()))) &&
    (rule.role === undefined || roles.includes(rule.role)) &&
    (rule.user === undefined || rule.user === principal.id) &&
    (rule.organisation === undefined || rule.organisation === principal.organisation)
  );
}
