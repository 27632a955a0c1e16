import type { Configuration, SourceConfiguration } from '../config/index.ts';
import type { ShapingConfiguration } from '../config/settings/topology.ts';
import { type CategoryRule, type OperationFacts, selects } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Listed } from './coverage.ts';
import type { Finding } from './finding.ts';

/**
 * Operations, categories and words of paths that the settings of topology and shaping name and nothing has: a slip of
 * the pen changes no list and no answer.
 */
export function checkTopology(
  surface: Configuration['surface'],
  view: Listed,
  sources: Readonly<Record<string, Pick<SourceConfiguration, 'shaping'>>>,
): Finding[] {
  const factsOf = (name: string) =>
    view.catalog.entries.map(({ facts }) => facts).filter(({ source }) => source === name);
  return [
    ...unfitting(view),
    ...unlisted(surface, view),
    ...unshaped(
      'shaping',
      surface?.shaping,
      view.catalog.entries.map(({ facts }) => facts),
    ),
    ...Object.entries(sources).flatMap(([name, { shaping }]) =>
      unshaped(`sources.${name}.shaping`, shaping, shaping === undefined ? [] : factsOf(name)),
    ),
  ];
}

/** Lists that are larger than the budget whatever topology is taken. */
function unfitting({ topologies = [] }: Listed): Finding[] {
  const next = '`toolcrib tokens` says what each costs.';
  return topologies.flatMap(({ warning: message }) =>
    message === undefined ? [] : [{ check: 'topology', status: 'warning', message, next }],
  );
}

function unlisted(surface: Configuration['surface'], { catalog }: Listed): Finding[] {
  if (surface === undefined || catalog.entries.length === 0) return [];
  const { pinned, ranking, categories } = surface.options;
  const entries = catalog.entries.map(({ name, operation, facts }) => ({ name, operation, facts }));
  const groups = new Set([...Object.keys(categories), ...entries.flatMap(({ facts }) => groupsOf(facts))]);
  const operations = new Set(entries.flatMap(({ name, operation, facts }) => [facts.id, name, operation]));
  return [
    ...unknown(
      'topology.pinned',
      pinned,
      'no operation and no category',
      new Set([...operations, ...groups]),
    ),
    ...unknown('topology.ranking', ranking, 'no category', groups),
    ...Object.entries(categories)
      .filter(([, rule]) => !entries.some(({ facts }) => holds(rule, facts)))
      .map(([name]) => warning(`topology.categories.${name} picks none of the operations that are there.`)),
  ];
}

function unknown(key: string, names: readonly string[], what: string, known: ReadonlySet<string>): Finding[] {
  const plain = new Set([...known].map(plainName));
  return names.filter((name) => !plain.has(plainName(name))).map((name) => unnamed(key, name, what, known));
}

/** Limits and fields go by tags and words of paths as they are spelled. */
function unshaped(
  key: string,
  shaping: ShapingConfiguration | undefined,
  operations: readonly OperationFacts[],
): Finding[] {
  if (shaping === undefined || operations.length === 0) return [];
  const known = new Set(operations.flatMap(({ tags, http }) => [...tags, ...pathWords(http?.path)]));
  return (['limits', 'essential'] as const).flatMap((member) =>
    Object.keys(shaping[member])
      .filter((name) => name !== '*' && !known.has(name))
      .map((name) => unnamed(`${key}.${member}`, name, 'no tag and no word of a path', known)),
  );
}

function unnamed(key: string, name: string, what: string, known: ReadonlySet<string>): Finding {
  return warning(`${key} names ${name}, and ${what} is called so.${didYouMean(name, known)}`);
}

function warning(message: string): Finding {
  const next = 'Compare it with `toolcrib tools --topology flat` and the tags of the document.';
  return { check: 'topology', status: 'warning', message, next };
}

/** Everything that a category of this operation may be called after. */
function groupsOf({ tags, source, http }: OperationFacts): readonly string[] {
  return [...tags, source, ...pathWords(http?.path)];
}

function pathWords(path = ''): readonly string[] {
  return path.split('/').filter((word) => word !== '');
}

function holds({ tags = [], select = [] }: CategoryRule, facts: OperationFacts): boolean {
  return tags.some((tag) => facts.tags.includes(tag)) || select.some((selector) => selects(selector, facts));
}

/** As a category's tool is called after it. */
function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_');
}
