import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type {
  GrantSource,
  Principal,
  PublishedTool,
  TokenCount,
  ViewCosts,
  VisibleOperation,
} from '../../operations/index.ts';
import { measureCandidates } from '../../topology/auto.ts';
import { toolTokens } from '../../topology/given-text.ts';
import { costsOf, measureSurface, sumOf } from '../../topology/measuring/measure-surface.ts';
import { typicalOperation } from '../../topology/measuring/typical-operation.ts';
import { inSlices } from '../in-slices.ts';
import type { Topologies } from './topologies.ts';
import { type ComputedView, createViews, type Views, type ViewsParts } from './views.ts';

export interface TopologyCostsParts {
  readonly catalog: LiveCatalog;
  readonly grants: Pick<GrantSource, 'fresh'>;
  readonly views: Views;
  /** What `views` was made of. */
  readonly viewParts: ViewsParts;
  readonly topologies: Topologies;
  readonly count: TokenCount;
}

export type TopologyCosts = (principal: Principal) => Promise<ViewCosts>;

/**
 * What a principal's tools cost in every topology. Measured once for a catalog, a configuration and equal rights;
 * the first time takes as long as counting all descriptions does, in slices. Throws `unauthorized`,
 * `store_unavailable`.
 */
export function createTopologyCosts(parts: TopologyCostsParts): TopologyCosts {
  const { catalog, grants, views, viewParts, topologies: known, count } = parts;
  const measured = createViews({
    ...viewParts,
    auto: (set, options) => measureCandidates(set, options, count, known.loaded),
  });
  const surfaces = new WeakMap<ComputedView, Promise<Omit<ViewCosts, 'listed'>>>();
  const lists = new WeakMap<ComputedView, Promise<ViewCosts['listed']>>();

  const measureAll = async (
    flat: ComputedView,
    view: (topology: string) => ComputedView,
    wished: () => ComputedView,
  ): Promise<Omit<ViewCosts, 'listed'>> => {
    await counted(flat.tools, count);
    const typical = typicalOperation(flat.tools.filter(isOperation));
    const topologies = [];
    for (const name of Object.keys(known.loaded)) {
      const { tools, topologies: [report] = [] } = view(name);
      await counted(tools, count);
      topologies.push(await measureSurface({ name, took: report?.took ?? name, tools }, typical, count));
    }
    const [auto] = wished().topologies;
    return {
      encoding: 'o200k_base',
      topologies,
      candidates: (auto?.considered ?? []).map(({ name, tools, tokens }) => ({ name, tools, tokens })),
      tokenBudget: viewParts.options().tokenBudget,
      ...(typical === undefined ? {} : { operation: typical.name }),
    };
  };
  const measureList = async ({ tools, topologies }: ComputedView): Promise<ViewCosts['listed']> => {
    await counted(tools, count);
    const perTool = costsOf(tools, count);
    let outputSchemas = 0;
    await inSlices(tools, ({ tool: { outputSchema } }) => {
      if (outputSchema !== undefined) outputSchemas += count(JSON.stringify(outputSchema));
    });
    return {
      topologies: topologies.map(({ took }) => took),
      tools: tools.length,
      tokens: sumOf(perTool),
      outputSchemas,
      perTool,
    };
  };

  return async (principal) => {
    await known.load();
    const fresh = await grants.fresh(principal);
    const { current } = catalog;
    const flat = views(current, fresh, { topology: 'flat' });
    const listed = views(current, fresh);
    const [all, list] = await Promise.all([
      kept(surfaces, flat, () =>
        measureAll(
          flat,
          (topology) => views(current, fresh, { topology }),
          () => measured(current, fresh, { topology: 'auto' }),
        ),
      ),
      kept(lists, listed, () => measureList(listed)),
    ]);
    return { ...all, listed: list };
  };
}

/** Made once for a view; what failed is made again. */
function kept<T>(
  made: WeakMap<ComputedView, Promise<T>>,
  view: ComputedView,
  make: () => Promise<T>,
): Promise<T> {
  let found = made.get(view);
  if (found === undefined) {
    found = make();
    made.set(view, found);
    found.catch(() => made.delete(view));
  }
  return found;
}

/** Counts of the tools are known afterwards. */
function counted(tools: readonly PublishedTool[], count: TokenCount): Promise<void> {
  return inSlices(tools, (tool) => void toolTokens(tool, count));
}

function isOperation(tool: PublishedTool): tool is VisibleOperation {
  return 'facts' in tool && 'load' in tool;
}
