import type { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import type { Configuration, FeaturesConfiguration, SourceConfiguration } from '../configuration.ts';
import type { featuresShape } from '../schema/features.ts';

/** `features` of a source, complete. */
export function featuresConfiguration(given: z.infer<typeof featuresShape>): FeaturesConfiguration {
  return Object.fromEntries(
    Object.entries(given).map(([name, { tags, paths, operations, enabled, description }]) => [
      name,
      {
        tags: tags ?? [],
        paths: paths ?? [],
        operations: operations ?? [],
        enabled: enabled ?? true,
        ...(description === undefined ? {} : { description }),
      },
    ]),
  );
}

/** Switches of the server that features come from, by the feature that each sets on every source that has it. */
export const FEATURE_KEYS = Object.freeze({
  enable_daos: 'daos',
  enable_specialty_features: 'specialty',
});

/** `enable_daos`, `enable_specialty_features` of the file, by feature. */
export function featureSwitches(
  file: Readonly<Partial<Record<keyof typeof FEATURE_KEYS, boolean | undefined>>>,
): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(FEATURE_KEYS).flatMap(([key, feature]) => {
      const enabled = file[key as keyof typeof FEATURE_KEYS];
      return enabled === undefined ? [] : [[feature, enabled] as const];
    }),
  );
}

/** Where the file switches a feature. */
export function featurePointer(feature: string): string | undefined {
  const entry = Object.entries(FEATURE_KEYS).find(([, named]) => named === feature);
  return entry === undefined ? undefined : `#/${entry[0]}`;
}

/**
 * Sets features by their name on every source that has them. Throws `feature_unknown`, at the place that `pointerOf`
 * names, where one is switched on that no source has; to switch off what is not there is no error.
 */
export function withFeatures(
  sources: Configuration['sources'],
  switches: Readonly<Record<string, boolean>>,
  pointerOf: (feature: string) => string | undefined = () => undefined,
): Configuration['sources'] {
  let changed = sources;
  for (const [feature, enabled] of Object.entries(switches)) {
    const holders = Object.entries(changed).filter(([, { features }]) => hasFeature(features, feature));
    if (holders.length === 0 && enabled) throw unknownFeature(feature, changed, pointerOf(feature));
    changed = {
      ...changed,
      ...Object.fromEntries(holders.map(([name, source]) => [name, switched(source, feature, enabled)])),
    };
  }
  return changed;
}

function hasFeature(features: FeaturesConfiguration | undefined, name: string): boolean {
  return features !== undefined && Object.hasOwn(features, name);
}

function switched(source: SourceConfiguration, feature: string, enabled: boolean): SourceConfiguration {
  const features = source.features!;
  return { ...source, features: { ...features, [feature]: { ...features[feature]!, enabled } } };
}

function unknownFeature(
  feature: string,
  sources: Configuration['sources'],
  pointer: string | undefined,
): ToolcribError {
  const known = Object.entries(sources).flatMap(([name, { features = {} }]) =>
    Object.keys(features).map((own) => `${name}.${own}`),
  );
  return new ToolcribError(
    'feature_unknown',
    `No source has a feature "${feature}"; there ${known.length === 0 ? 'is none' : `is ${known.join(', ')}`}.`,
    {
      ...(pointer === undefined ? {} : { pointer }),
      details: { feature },
      next: `Name its operations in sources.NAME.features.${feature}, or use a preset that has it.`,
    },
  );
}

/** Every feature of a configuration, with its whole name. */
export function configuredFeatures(sources: Configuration['sources']) {
  return Object.entries(sources).flatMap(([source, { features = {} }]) =>
    Object.entries(features).map(([feature, { enabled, description }]) => ({
      name: `${source}.${feature}`,
      source,
      enabled,
      ...(description === undefined ? {} : { description }),
    })),
  );
}
