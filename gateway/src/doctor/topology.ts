import type { Configuration } from '../config/index.ts';
import {
  type CategoryRule,
  type OperationFacts,
  selects,
  type TopologyOptions,
} from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Listed } from './coverage.ts';
import type { Finding } from './finding.ts';

/** Operations and categories that the topology's settings name and nothing has: a slip of the pen changes no list. */
export function checkTopology(surface: Configuration['surface'], { catalog }: Listed): Finding[] {
  if (surface === undefined || catalog.entries.length === 0) return [];
  const { pinned, ranking, categories } = surface.options;
  const entries = catalog.entries.map(({ name, operation, facts }) => ({ name, operation, facts }));
  const groups = new Set([...Object.keys(categories), ...entries.flatMap(({ facts }) => groupsOf(facts))]);
  const operations = new Set(entries.flatMap(({ name, operation, facts }) => [facts.id, name, operation]));
  return [
    ...unknown('pinned', pinned, 'no operation and no category', new Set([...operations, ...groups])),
    ...unknown('ranking', ranking, 'no category', groups),
    ...Object.entries(categories)
      .filter(([, rule]) => !entries.some(({ facts }) => holds(rule, facts)))
      .map(([name]) => warning(`topology.categories.${name} picks none of the operations that are there.`)),
  ];
}

function unknown(
  key: keyof TopologyOptions,
  names: readonly string[],
  what: string,
  known: ReadonlySet<string>,
): Finding[] {
  const plain = new Set([...known].map(plainName));
  return names
    .filter((name) => !plain.has(plainName(name)))
    .map((name) =>
      warning(`topology.${key} names ${name}, and ${what} is called so.${didYouMean(name, known)}`),
    );
}

function warning(message: string): Finding {
  const next = 'Compare it with `toolcrib tools --topology flat` and the tags of the document.';
  return { check: 'topology', status: 'warning', message, next };
}

/** Everything that a category of this operation may be called after. */
function groupsOf({ tags, source, http }: OperationFacts): readonly string[] {
  return [...tags, source, ...(http?.path.split('/').filter((word) => word !== '') ?? [])];
}

function holds({ tags = [], select = [] }: CategoryRule, facts: OperationFacts): boolean {
  return tags.some((tag) => facts.tags.includes(tag)) || select.some((selector) => selects(selector, facts));
}

/** As a category's tool is called after it. */
function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_');
}
