export { createFeatureSwitches } from './create-feature-switches.ts';
export { withSwitchedFeatures } from './feature-grants.ts';
export type { ConfiguredFeature, FeatureState, FeatureSwitches } from './feature-switches.ts';
