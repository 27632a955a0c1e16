import { isDeepStrictEqual } from 'node:util';
import { withNamedDestinations } from '../../config/allowed-destinations.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';

/** What was added, changed and taken out for this run only, laid over whatever configuration counts. */
export interface RunSources {
  /** The configuration with them; what it was given is remembered as `base`. */
  over(configuration: Configuration): Configuration;
  /** The last configuration without them. */
  readonly base: Configuration;
  has(name: string): boolean;
  add(name: string, source: SourceConfiguration): void;
  remove(name: string): void;
  /** From now on the configuration says what becomes of it. */
  forget(name: string): void;
}

interface RunSource {
  /** Absent: taken out. */
  readonly source?: SourceConfiguration;
  /** What the configuration said then: once it says something else, that counts. */
  readonly instead: SourceConfiguration | undefined;
}

export function createRunSources(configuration: Configuration): RunSources {
  const own = new Map<string, RunSource>();
  let base = snapshot(configuration);
  const put = (name: string, source: SourceConfiguration | undefined) => {
    const instead = Object.hasOwn(base.sources, name) ? base.sources[name] : undefined;
    if (source === undefined && instead === undefined) own.delete(name);
    else own.set(name, { instead, ...(source === undefined ? {} : { source }) });
  };
  return {
    get base() {
      return base;
    },
    over(next) {
      base = snapshot(next);
      for (const [name, { instead }] of own)
        if (!isDeepStrictEqual(next.sources[name], instead)) own.delete(name);
      if (own.size === 0) return next;
      const sources = { ...next.sources };
      const added: Record<string, SourceConfiguration> = {};
      for (const [name, { source }] of own) {
        delete sources[name];
        if (source !== undefined) added[name] = source;
      }
      return {
        ...next,
        sources: { ...sources, ...added },
        egress: withNamedDestinations({ ...next, sources: added }),
      };
    },
    has: (name) => own.get(name)?.source !== undefined,
    add: (name, source) => put(name, source),
    remove: (name) => put(name, undefined),
    forget: (name) => void own.delete(name),
  };
}

/** The sources of a running gateway are one object that changes with it. */
function snapshot(configuration: Configuration): Configuration {
  return { ...configuration, sources: { ...configuration.sources } };
}
