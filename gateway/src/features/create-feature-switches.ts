import { isToolcribError, ToolcribError } from '../errors.ts';
import { sameItems } from '../operations/same-items.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Store } from '../store/store.ts';
import {
  type ConfiguredFeature,
  type FeatureSwitches,
  type FeatureSwitchesOptions,
  type Switches,
  statesOf,
} from './feature-switches.ts';
import { FEATURES_SCOPE, readSwitches, type StoredSwitch, writeSwitch } from './stored-switches.ts';

const NOTHING: readonly string[] = Object.freeze([]);

export function createFeatureSwitches({
  configured,
  store: openStore = async () => undefined,
  record,
  now = Date.now,
}: FeatureSwitchesOptions): FeatureSwitches {
  const listeners = new Set<() => void>();
  let store: Store | undefined;
  /** Undefined: not read, or it could not be. */
  let switches: Switches | undefined;
  let revision = 0;
  let asked = 0;
  let taken = 0;
  let on: readonly string[] = NOTHING;
  let opening: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;

  const known = (): readonly string[] => {
    const features = configured();
    if (features.length === 0 || switches === undefined) return NOTHING;
    const names = statesOf(features, switches)
      .flatMap(({ name, enabled }) => (enabled ? [name] : []))
      .sort();
    if (!sameItems(on, names)) on = Object.freeze(names);
    return on;
  };

  const take = (next: Switches | undefined): void => {
    const before = known();
    switches = next;
    if (!sameItems(before, known())) for (const listener of [...listeners]) listener();
  };

  const read = async (): Promise<void> => {
    if (store === undefined) return;
    const turn = ++asked;
    const found = await readSwitches(store);
    // who asked later may be here already; revisions do not tell, since a store that lost commits goes back
    if (switches !== undefined && turn < taken) return;
    taken = turn;
    revision = found.revision;
    take(found.switches);
  };

  const start = async (): Promise<void> => {
    store = await openStore();
    if (store === undefined) return take(new Map());
    unsubscribe = store.onChange((scope) => {
      // what cannot be read is off
      if (scope === FEATURES_SCOPE || scope === '*') read().catch(() => take(undefined));
    });
    await read();
  };

  const open = async (): Promise<void> => {
    if (configured().length === 0) return;
    opening ??= start().catch((error: unknown) => {
      unsubscribe?.();
      opening = undefined;
      throw unavailable(error);
    });
    await opening;
  };

  /** A notice may have come whose rows could not be read. */
  const again = (): Promise<void> | undefined => (switches === undefined ? read() : undefined);

  const freshAt = (current: number): readonly string[] | Promise<readonly string[]> =>
    switches !== undefined && current === revision ? known() : read().then(known);

  const fresh = (): readonly string[] | Promise<readonly string[]> => {
    if (configured().length === 0) return NOTHING;
    if (opening === undefined || switches === undefined) return open().then(again).then(known).catch(rethrow);
    if (store === undefined) return known();
    try {
      const current = store.revision(FEATURES_SCOPE);
      const asked = typeof current === 'number' ? freshAt(current) : current.then(freshAt);
      return asked instanceof Promise ? asked.catch(rethrow) : asked;
    } catch (error) {
      return rethrow(error);
    }
  };

  const list = async () => {
    await fresh();
    return statesOf(configured(), switches ?? new Map()).sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    known,
    fresh,
    held(own, given = known()) {
      const switchable = new Set(configured().map(({ name }) => name));
      const others = own.filter((name) => !switchable.has(name));
      return others.length === 0 ? given : [...new Set([...given, ...others])].sort();
    },
    list,
    async set(name, enabled, by) {
      const feature = featureNamed(configured(), name);
      await fresh();
      const switched: StoredSwitch | undefined =
        enabled === undefined ? undefined : { enabled, changedAt: now(), changedBy: by };
      if (store === undefined) take(changed(switches ?? new Map(), name, switched));
      else await writeSwitch(store, name, switched).then(read).catch(rethrow);
      await record?.({
        type: 'feature-changed',
        organisation: '',
        principal: by,
        subject: name,
        change: enabled === undefined ? 'as configured' : enabled ? 'on' : 'off',
      });
      return statesOf([feature], switches ?? new Map())[0]!;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    async close() {
      await opening?.catch(() => undefined);
      unsubscribe?.();
      listeners.clear();
    },
  };
}

function changed(switches: Switches, name: string, switched: StoredSwitch | undefined): Switches {
  const next = new Map(switches);
  if (switched === undefined) next.delete(name);
  else next.set(name, switched);
  return next;
}

function featureNamed(features: readonly ConfiguredFeature[], name: string): ConfiguredFeature {
  const found = features.find((feature) => feature.name === name);
  if (found !== undefined) return found;
  const names = features.map((feature) => feature.name);
  const asked = name.slice(0, 128);
  const without = names.filter((one) => one.endsWith(`.${asked}`));
  const meant =
    without.length === 0 ? didYouMean(asked, names) : ` Did you mean "${without.join('" or "')}"?`;
  throw new ToolcribError('feature_unknown', `There is no feature "${asked}".${meant}`);
}

function unavailable(error: unknown): ToolcribError {
  if (isToolcribError(error)) return error;
  return new ToolcribError('store_unavailable', 'The store could not be asked which features are on.', {
    cause: error,
  });
}

function rethrow(error: unknown): never {
  throw unavailable(error);
}
