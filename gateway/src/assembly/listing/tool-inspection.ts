import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Gateway } from '../../gateway-api.ts';
import type { GrantSource, Grants, TokenCount } from '../../operations/index.ts';
import { deriveVisibility } from '../../policy/visibility.ts';
import type {
  ListedOperation,
  OperationListQuery,
  ToolInspection,
} from '../../server/http/admin/tool-inspection.ts';
import { purposeOf } from '../../topology/finding/purpose.ts';
import { toolTokens } from '../../topology/given-text.ts';
import { withinBudget } from '../../topology/measuring/within-budget.ts';
import { createApprovalNeeds } from '../calling/approval-needs.ts';
import { agreementTo, createGates } from './operation-gates.ts';
import { operationStates, type StatedOperation } from './operation-states.ts';
import type { ComputedView, Views } from './views.ts';

export interface InspectionParts {
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly grants: GrantSource;
  readonly views: Views;
  readonly count: TokenCount;
  /** Programs of skills run in a sandbox. */
  readonly isolated: () => boolean;
  readonly gateway: Pick<Gateway, 'search' | 'costs'>;
}

/** Characters of what an operation is for. */
const PURPOSE = 200;

/** Whose calls of an operation are gated is worked out once for a view. */
interface Stated extends StatedOperation {
  readonly gate: string | undefined;
  /** Where words of a filter are looked for, lower case. */
  readonly words: string;
}

export function createToolInspection(parts: InspectionParts): ToolInspection {
  const { configuration, catalog, grants, views, count, gateway } = parts;
  const needs = createApprovalNeeds(parts);
  const lists = new WeakMap<ComputedView, readonly Stated[]>();
  const statedFor = (current: Catalog, view: ComputedView, fresh: Grants): readonly Stated[] => {
    let stated = lists.get(view);
    if (stated === undefined) {
      const { visible } = deriveVisibility(current.entries, fresh);
      const gate = createGates(current, configuration(), fresh, needs);
      stated = operationStates(current, view, visible, fresh).map((one) => ({
        ...one,
        gate: one.state === 'hidden' ? undefined : gate(one.entry)?.reason,
        words: wordsOf(one.entry),
      }));
      lists.set(view, stated);
    }
    return stated;
  };

  return {
    async search(query, principal) {
      const hits = await gateway.search(query, principal);
      const listed = new Set(views(catalog.current, grants.known(principal)).tools.map(({ name }) => name));
      return hits.map(({ operation, score }) => ({
        operation,
        score,
        listed: listed.has(operation.name),
        purpose: purposeOf(operation, PURPOSE),
      }));
    },
    async operations(query, principal) {
      const fresh = await grants.fresh(principal);
      const { current } = catalog;
      const stated = statedFor(current, views(current, fresh), fresh);
      const left = stated.filter(fits(query));
      const inState = query.state === undefined ? left : left.filter((one) => isIn(one, query.state!));
      const { after, limit } = query;
      const from = after === undefined ? 0 : firstAfter(inState, after);
      const page = inState.slice(from, from + limit);
      const isLast = from + limit >= inState.length;
      return {
        operations: page.map(listedOperation),
        counts: countsOf(left),
        sources: [...new Set(stated.map(({ entry }) => entry.source))].sort(),
        ...(isLast || page.length === 0 ? {} : { next: page.at(-1)!.entry.name }),
      };
    },
    tokens: (tool) => toolTokens(tool, count),
    approval: (tool, operation, principal) => agreementTo(needs, tool, operation, principal),
    async costs(principal, budget) {
      const costs = await gateway.costs(principal);
      const within = budget ?? costs.tokenBudget;
      const auto = withinBudget(costs.candidates, within);
      return { ...costs, budget: within, ...(auto === undefined ? {} : { auto }) };
    },
  };
}

function fits({ source, access, text }: OperationListQuery): (one: Stated) => boolean {
  const wanted = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return ({ entry, words }) =>
    (source === undefined || entry.source === source) &&
    (access === undefined || entry.facts.access === access) &&
    wanted.every((word) => words.includes(word));
}

function isIn({ state, gate }: Stated, wanted: NonNullable<OperationListQuery['state']>): boolean {
  return wanted === 'gated' ? gate !== undefined : state === wanted;
}

function wordsOf({ name, facts: { id, http, title, tags } }: CatalogEntry): string {
  const place = http === undefined ? '' : `${http.method} ${http.path}`;
  return [name, id, place, title ?? '', ...tags].join('\n').toLowerCase();
}

/** A page goes on behind a name, also where that tool is gone meanwhile. */
function firstAfter(stated: readonly Stated[], name: string): number {
  const index = stated.findIndex(({ entry }) => entry.name > name);
  return index < 0 ? stated.length : index;
}

function countsOf(stated: readonly Stated[]) {
  const counts = { all: stated.length, listed: 0, reachable: 0, hidden: 0, gated: 0 };
  for (const { state, gate } of stated) {
    counts[state] += 1;
    if (gate !== undefined) counts.gated += 1;
  }
  return counts;
}

function listedOperation({ entry, state, through, gate, hidden }: Stated): ListedOperation {
  const why = hidden?.();
  return {
    tool: entry.name,
    facts: entry.facts,
    purpose: purposeOf(entry, PURPOSE),
    state,
    ...(through === undefined ? {} : { through }),
    ...(gate === undefined ? {} : { gate }),
    ...(why === undefined ? {} : { hidden: why }),
  };
}
