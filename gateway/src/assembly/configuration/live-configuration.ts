import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import type { ConfigurationChanges } from '../../gateway-core.ts';
import { canonicalHash } from '../../operations/index.ts';
import type { FunctionSource } from '../../sources/function/define.ts';
import { withFunctions } from '../compiling/source-compiler.ts';

/** The configuration of a running gateway. */
export interface LiveConfiguration {
  /** Its `sources` is one object as long as the gateway runs: who keeps it sees what is configured now. */
  readonly current: Configuration;
  /** Keys of the last configuration taken over that count from the next start only. */
  readonly afterRestart: readonly string[];
  /** Takes over sources, policy, destinations and what shapes results; names the rest. */
  take(next: Configuration): ConfigurationChanges;
}

/** What is read again at each use. Everything else was built into the gateway when it started. */
export const LIVE: readonly (keyof Configuration)[] = [
  'sources',
  'mcpServers',
  'policy',
  'egress',
  'output',
  'topology',
  'surface',
];

/** Where the configuration was found: it says nothing about what the gateway does. */
const PLACES: readonly (keyof Configuration)[] = ['file', 'presetFiles', 'baseDirectory'];

export function createLiveConfiguration(
  configuration: Configuration,
  functions: Readonly<Record<string, FunctionSource>>,
): LiveConfiguration {
  const sources: Record<string, SourceConfiguration> = { ...withFunctions(configuration.sources, functions) };
  let current: Configuration = { ...configuration, sources };
  let waiting: readonly string[] = [];
  return {
    get afterRestart() {
      return waiting;
    },
    get current() {
      return current;
    },
    take(next) {
      const wanted = withFunctions(next.sources, functions);
      const before = Object.keys(sources);
      const added = Object.keys(wanted).filter((name) => !before.includes(name));
      const removed = before.filter((name) => !Object.hasOwn(wanted, name));
      const recompiled = differs(compilingOf(current), compilingOf(next));
      const changed = before.filter(
        (name) => Object.hasOwn(wanted, name) && (recompiled || differs(sources[name], wanted[name])),
      );
      const afterRestart: string[] = (Object.keys({ ...current, ...next }) as (keyof Configuration)[]).filter(
        (key) => !LIVE.includes(key) && !PLACES.includes(key) && differs(current[key], next[key]),
      );
      const reshaped = differs(surfaceOf(current, sources), surfaceOf(next, wanted));
      // the directory of a team was opened with them
      const { defaults } = current.policy;
      if (differs(defaults, next.policy.defaults)) afterRestart.push('policy.defaults');
      for (const name of before) delete sources[name];
      Object.assign(sources, wanted);
      const live = Object.fromEntries(LIVE.map((key) => [key, next[key]]));
      current = { ...current, ...live, policy: { ...next.policy, defaults }, sources };
      waiting = afterRestart;
      return { added, changed, removed, reshaped, afterRestart };
    },
  };
}

/** What tools are compiled with, of all that shapes results: output schemas are published as strictly as they are held. */
function compilingOf({ output: { strict, schemas } }: Configuration) {
  return { schemas, strict: schemas && strict };
}

/** How operations become tools, and who sees those of skills. */
function surfaceOf({ topology, surface, policy }: Configuration, sources: Configuration['sources']) {
  return {
    topology,
    surface,
    skills: policy.skills,
    sources: Object.entries(sources).map(([name, { topology: own, features, permissions, shaping }]) => [
      name,
      { topology: own, features, permissions, shaping },
    ]),
  };
}

function differs(a: unknown, b: unknown): boolean {
  return canonicalHash({ value: a ?? null }) !== canonicalHash({ value: b ?? null });
}
