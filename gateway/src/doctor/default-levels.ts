import { categoryOf } from '../config/category-of.ts';
import type { Configuration } from '../config/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Listed } from './coverage.ts';
import type { Finding } from './finding.ts';

/** Categories of `policy.defaults` that no source has: a slip of the pen in one leaves the level of `*`. */
export function checkDefaultLevels(
  { sources, policy }: Configuration,
  { catalog }: Pick<Listed, 'catalog'>,
): Finding[] {
  const compiled = new Map(catalog.sources.map(({ name, provider }) => [name, provider]));
  const names = Object.keys(sources);
  // of a source that did not compile nobody knows the category
  if (!names.every((name) => compiled.has(name))) return [];
  const known = new Set(names.map((name) => categoryOf(sources[name], compiled.get(name))));
  return (['organisation', 'user'] as const).flatMap((who) =>
    Object.keys(policy.defaults[who])
      .filter((category) => category !== '*' && !known.has(category))
      .map((category): Finding => {
        const meant = didYouMean(category, known);
        return {
          check: 'access',
          // it may be said for a source that is still to come
          status: meant === '' ? 'info' : 'warning',
          message: `policy.defaults.${who} names the category ${category}, which no source has.${meant}`,
          next: `Correct it, or say it in \`category\` of the sources that are meant; they have ${[...known].sort().join(', ')}.`,
        };
      }),
  );
}
