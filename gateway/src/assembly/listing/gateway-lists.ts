import { join } from 'node:path';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewayOptions } from '../../gateway-api.ts';
import type { GrantSource, Principal, TokenCount, ViewCosts } from '../../operations/index.ts';
import { estimateTokens } from '../../tokens/index.ts';
import { chooseTopology } from '../../topology/auto.ts';
import type { Announce } from '../change-notices.ts';
import { closeAll } from '../close-all.ts';
import type { Faults } from '../faults.ts';
import type { GatewayStore } from '../gateway-store.ts';
import { lazily } from '../lazily.ts';
import type { SkillSelection } from '../skills/skill-selection.ts';
import { createCatalogSearch } from './catalog-search.ts';
import { createFoundTools, type FoundTools } from './found-tools.ts';
import type { GenericData } from './generic-data.ts';
import { openReranker } from './open-reranker.ts';
import { createTokenCounts } from './token-counts.ts';
import { createTopologies, type Topologies } from './topologies.ts';
import { createTopologyOptions } from './topology-options.ts';
import { createViews, type Views, type ViewsParts } from './views.ts';

export interface GatewayListsParts {
  /** As the gateway was started with it. */
  readonly started: Configuration;
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly grants: Pick<GrantSource, 'fresh'>;
  readonly store: GatewayStore;
  readonly egress: Egress;
  readonly faults: () => Promise<Faults>;
  readonly brought: Pick<GatewayOptions, 'topologies' | 'reranker'>;
  readonly skills: SkillSelection;
  readonly announce: Announce;
  readonly report: (error: unknown, what: string) => void;
}

/** What callers are shown of a catalog: by which topology, what a search finds, what they found before. */
export interface GatewayLists {
  readonly views: Views;
  readonly search: ReturnType<typeof createCatalogSearch>;
  readonly topologies: Topologies;
  readonly found: FoundTools;
  readonly count: TokenCount;
  /** Reads what generic tools are made of, where a source gives reason to. */
  describeGeneric(sources?: Configuration['sources']): Promise<void>;
  /** What a view needs beside the catalog. */
  open(): Promise<void>;
  costs(principal: Principal): Promise<ViewCosts>;
  close(): Promise<void>;
}

export function createGatewayLists(parts: GatewayListsParts): GatewayLists {
  const { started, configuration, catalog, grants, brought, announce, report } = parts;
  const topologies = createTopologies(brought.topologies ?? [], () => announce('tools'));
  const tokenCounts = createTokenCounts(
    started.cache ? join(started.stateDirectory, 'cache', 'tool-tokens.json') : undefined,
  );
  const { count } = tokenCounts;
  const found = createFoundTools(parts.store, (principal) => announce('tools', { principal }));
  const options = createTopologyOptions(configuration);
  const { embeddings } = started.search ?? {};
  const reranker =
    brought.reranker ?? (embeddings === undefined ? undefined : openReranker(embeddings, parts));
  const search = createCatalogSearch({
    configuration,
    options,
    reranker,
    failed: (error) => report(error, 'The reranker failed: hits stay as the words rank them.'),
  });
  let generic: GenericData | undefined;
  const viewParts: ViewsParts = {
    configuration,
    topologies: () => topologies.loaded,
    options,
    generic: () => generic,
    search,
    auto(set, given) {
      const choice = chooseTopology(set, given, { count, estimate: estimateTokens }, topologies.loaded);
      if (choice.warning !== undefined) topologies.missed();
      return choice;
    },
    activated: found.known,
    skills: parts.skills,
  };
  const views = createViews(viewParts);
  const describeGeneric = async (sources = configuration().sources) => {
    if (generic !== undefined || !Object.values(sources).some(({ kind }) => kind === 'manifest')) return;
    const { loadGenericData } = await import('./generic-data.ts');
    generic = loadGenericData(started.categories);
  };
  const costs = lazily(async () => {
    const { createTopologyCosts } = await import('./topology-costs.ts');
    return createTopologyCosts({ viewParts, views, catalog, grants, topologies, count });
  });
  return {
    views,
    search,
    topologies,
    found,
    count,
    describeGeneric,
    async open() {
      await Promise.all([describeGeneric(), tokenCounts.open()]);
    },
    costs: async (principal) => (await costs())(principal),
    close: () => closeAll([() => reranker?.close?.(), () => found.close(), () => tokenCounts.close()]),
  };
}
