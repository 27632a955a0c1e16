import type { Configuration } from '../../config/configuration.ts';
import { azureOf } from '../../config/settings/azure.ts';
import { DEFAULT_SURFACE } from '../../config/settings/topology.ts';
import { flat } from '../../topology/flat.ts';
import type { Topology } from '../../topology/topology.ts';
import { lazily } from '../lazily.ts';

/** Topologies by name: `flat` and an embedder's own at once, the others when they are loaded. */
export interface Topologies {
  /** Another object once more are there. */
  readonly loaded: Readonly<Record<string, Topology>>;
  load(): Promise<void>;
  /** Loads them for a list that was made without: `changed` is called when it can be made again. */
  missed(): void;
}

export function createTopologies(brought: readonly Topology[], changed: () => void): Topologies {
  let loaded = byName([flat, ...brought]);
  let isWhole = false;
  const load = lazily(async () => {
    const { TOPOLOGIES } = await import('../../topology/registry.ts');
    loaded = byName([...Object.values(TOPOLOGIES), ...brought]);
    isWhole = true;
  });
  return {
    get loaded() {
      return loaded;
    },
    load,
    missed() {
      if (!isWhole) load().then(changed, () => undefined);
    },
  };
}

/** Whether `flat` may be all that the configuration comes to: what it does not name is not loaded for the first list. */
export function mayBeFlat({ topology, sources, surface = DEFAULT_SURFACE }: Configuration): boolean {
  const named = [
    topology,
    ...Object.values(sources).map((source) => source.topology ?? topology),
    ...surface.rules.map(({ name }) => name),
  ];
  const isCapped = Object.values(sources).some((source) => azureOf(source)?.maxToolsPerApi !== undefined);
  return !isCapped && named.every((name) => name === 'flat' || name === 'auto');
}

function byName(topologies: readonly Topology[]): Readonly<Record<string, Topology>> {
  return Object.fromEntries(topologies.map((one) => [one.name, one]));
}
