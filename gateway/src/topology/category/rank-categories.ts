import type { TopologyOptions } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';
import type { Category } from './category.ts';

export interface RankedCategories {
  /** Those that get tools of their own, best first. */
  readonly chosen: readonly Category[];
  /** Too small, too far down, or for admins only: their operations stand in `manage_other`. */
  readonly others: readonly Category[];
}

/** Pinned categories first, then those that `ranking` names, then by number of operations that are not deprecated. */
export function rankCategories(
  categories: readonly Category[],
  set: OperationSet,
  options: TopologyOptions,
): RankedCategories {
  const { maxCategoryTools, minEndpointsPerCategory } = options;
  const order = [...options.pinned, ...options.ranking];
  const ranked = categories
    .filter((category) => !isForAdmins(category, set, options))
    .map((category) => ({ category, count: countOf(category), place: placeIn(order, category) }))
    .filter(({ count }) => count >= minEndpointsPerCategory)
    .sort((a, b) => a.place - b.place || b.count - a.count || (a.category.name < b.category.name ? -1 : 1));
  const chosen = ranked.slice(0, maxCategoryTools).map(({ category }) => category);
  const isChosen = new Set(chosen);
  return { chosen, others: categories.filter((category) => !isChosen.has(category)) };
}

function countOf({ operations }: Category): number {
  return operations.filter(({ facts }) => facts.deprecated !== true).length;
}

function placeIn(order: readonly string[], { name, label }: Category): number {
  const place = order.findIndex((one) => one === name || one === label);
  return place < 0 ? order.length : place;
}

/** Its tag is one for admins, and the principal is none on any of its sources. Roles are compared case-blind. */
function isForAdmins(
  { name, label, operations }: Category,
  set: OperationSet,
  { adminOnlyTags, adminRoles }: TopologyOptions,
): boolean {
  if (!adminOnlyTags.some((tag) => tag === label || tag === name)) return false;
  const roles = new Set(adminRoles.map((role) => role.toUpperCase()));
  const sources = new Set(operations.map(({ source }) => source));
  return ![...sources].every((source) => set.roles(source).some((role) => roles.has(role.toUpperCase())));
}
