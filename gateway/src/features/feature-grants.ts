import type { GrantSource, Grants } from '../operations/index.ts';
import { sameItems } from '../operations/same-items.ts';
import type { FeatureSwitches } from './feature-switches.ts';

/** Grants with the features that are on, beside those that an organisation was given. */
export function withSwitchedFeatures(
  grants: GrantSource,
  switches: Pick<FeatureSwitches, 'known' | 'fresh' | 'held' | 'onChange'>,
): GrantSource {
  const made = new WeakMap<Grants, Grants>();

  const withFeatures = (base: Grants, on: readonly string[]): Grants => {
    const features = switches.held(base.features, on);
    if (features.length === 0 && base.features.length === 0) return base;
    const before = made.get(base);
    if (before !== undefined && sameItems(before.features, features)) return before;
    const stamp = `${base.stamp}+features:${features.join(' ')}`;
    const next = Object.freeze<Grants>({ ...base, stamp, features });
    made.set(base, next);
    return next;
  };

  return {
    fresh(principal, source) {
      const base = grants.fresh(principal, source);
      const on = switches.fresh();
      if (!(base instanceof Promise) && !(on instanceof Promise)) return withFeatures(base, on);
      return Promise.all([base, on]).then(([one, names]) => withFeatures(one, names));
    },
    known: (principal) => withFeatures(grants.known(principal), switches.known()),
    onChange(listener) {
      const stop = [grants.onChange(listener), switches.onChange(listener)];
      return () => {
        for (const one of stop) one();
      };
    },
  };
}
