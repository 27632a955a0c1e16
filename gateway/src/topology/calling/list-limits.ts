import type { OperationFacts } from '../../operations/index.ts';

/** Rows of a list where the caller says no limit. */
const LIST_LIMIT = 10;

const LIMITS: Readonly<Record<string, number>> = Object.freeze({
  service: 25,
  services: 25,
  server: 25,
  servers: 25,
  stat: 50,
  stats: 50,
  statistics: 50,
  log: 100,
  logs: 100,
});

/** The same in a sentence for descriptions of tools. */
export const LIMITS_IN_FORCE =
  'Lists give 10 rows (services, servers 25; stats 50; logs 100) unless a limit is given.';

/** By the last word of the path that has a limit of its own, else by tag. */
export function listLimitOf({ http, tags }: Pick<OperationFacts, 'http' | 'tags'>): number {
  const words = (http?.path ?? '')
    .split('/')
    .filter((segment) => !segment.includes('{'))
    .toReversed();
  for (const word of [...words, ...tags]) {
    const limit = word.toLowerCase();
    if (Object.hasOwn(LIMITS, limit)) return LIMITS[limit]!;
  }
  return LIST_LIMIT;
}
