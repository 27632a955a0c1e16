import type { AdminEvent } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import type { StoredSwitch } from './stored-switches.ts';

/** A group of operations that can be switched off, as the configuration has it. */
export interface ConfiguredFeature {
  /** `<source>.<feature>` */
  readonly name: string;
  readonly source: string;
  readonly enabled: boolean;
  readonly description?: string;
}

/** A feature as it is now. */
export interface FeatureState extends ConfiguredFeature {
  /** What the configuration alone says. */
  readonly configured: boolean;
  /** When and by whom it was switched; absent: it is as configured. Milliseconds since the epoch. */
  readonly changedAt?: number;
  readonly changedBy?: string;
}

export interface FeatureSwitchesOptions {
  /** Read at every use: the configuration is live. */
  readonly configured: () => readonly ConfiguredFeature[];
  /** Undefined, or resolving to undefined: switched for this process alone, until it ends. */
  readonly store?: () => Promise<Store | undefined>;
  /** Tells the event log. */
  readonly record?: (event: AdminEvent) => Promise<unknown>;
  readonly now?: () => number;
}

/** Which features are on: the configuration, and what was switched since, by whichever process. */
export interface FeatureSwitches {
  /**
   * Names that are on, sorted, without asking: the same array while nothing changed. What cannot be read, or was not
   * read yet, is off.
   */
  known(): readonly string[];
  /** As of now: asks the store whether anything changed. Throws `store_unavailable`. */
  fresh(): readonly string[] | Promise<readonly string[]>;
  /** What somebody holds who was given `own` beside: a name that is switched here is on here or not at all. */
  held(own: readonly string[], on?: readonly string[]): readonly string[];
  /** As of now, sorted by name. Throws `store_unavailable`. */
  list(): Promise<readonly FeatureState[]>;
  /** Undefined: as configured again. Throws `feature_unknown`, `store_unavailable`. */
  set(name: string, enabled: boolean | undefined, by: string): Promise<FeatureState>;
  onChange(listener: () => void): () => void;
  /** Reads what was switched, and follows it. Needs no store where no feature is configured. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export type Switches = ReadonlyMap<string, StoredSwitch>;

/** Every feature with what was switched; in their own order. */
export function statesOf(configured: readonly ConfiguredFeature[], switches: Switches): FeatureState[] {
  return configured.map((feature) => {
    const switched = switches.get(feature.name);
    if (switched === undefined) return { ...feature, configured: feature.enabled };
    const { enabled, changedAt, changedBy } = switched;
    return { ...feature, configured: feature.enabled, enabled, changedAt, changedBy };
  });
}
