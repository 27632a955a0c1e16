import { join } from 'node:path';
import type { CatalogPart } from '../../catalog/build.ts';
import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { upstreamDefinitions, upstreamOf } from '../../config/settings/upstreams.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Executor } from '../../executors/executor.ts';
import type { Change } from '../../gateway-core.ts';
import type { Description, UpstreamEvent } from '../../operations/index.ts';
import type { UpstreamState, Upstreams } from '../../upstreams/upstreams.ts';
import type { Faults } from '../faults.ts';
import { lazily } from '../lazily.ts';
import { createLinkedResources, type LinkedResources } from './linked-resources.ts';
import { followUpstreamChanges } from './upstream-changes.ts';
import { createUpstreamListings } from './upstream-listings.ts';

export interface UpstreamRoomParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly egress: Egress;
  readonly faults: () => Promise<Faults>;
  readonly record: (event: UpstreamEvent) => void;
  /** Compiles one source again and swaps the catalog. */
  readonly refresh: (source: string) => Promise<void>;
  readonly announce: (change: Change) => void;
  readonly report: (error: unknown, what: string) => void;
}

/** Everything of a gateway that upstream servers need; nothing is loaded before a source is one. */
export interface UpstreamRoom {
  open(): Promise<Upstreams>;
  /** What a source of kind `mcp` describes now, or last did. Throws `upstream_unavailable`. */
  describe(
    name: string,
    source: SourceConfiguration,
    signal: AbortSignal,
  ): Promise<{ readonly description: Description; readonly stale?: NonNullable<CatalogPart['stale']> }>;
  readonly executor: Executor;
  readonly linked: LinkedResources;
  /** The configuration has changed: servers are added, changed and removed. */
  reconfigured(): Promise<void>;
  states(): Promise<readonly UpstreamState[]>;
  close(): Promise<void>;
}

export function createUpstreamRoom(parts: UpstreamRoomParts): UpstreamRoom {
  const { configuration, egress, faults, record, refresh, announce, report } = parts;
  const linked = createLinkedResources();
  const open = lazily(async (): Promise<Opened> => {
    const { composeUpstreams } = await import('./open-upstreams.ts');
    const { redactor } = await faults();
    const upstreams = await composeUpstreams({ egress, redactor, env: process.env, record });
    upstreams.configure(upstreamDefinitions(configuration().sources));
    const listings = createUpstreamListings({
      upstreams,
      directory: join(configuration().stateDirectory, 'upstreams'),
      arrived: (source) =>
        void refresh(source).catch((error) => report(error, `Source ${source} could not be compiled again.`)),
      report,
    });
    const unfollow = followUpstreamChanges({ upstreams, refresh, announce });
    const { createMcpExecutor } = await import('../../executors/mcp/mcp-executor.ts');
    const executor = createMcpExecutor({ upstreams, linked: linked.note });
    return { upstreams, listings, executor, unfollow };
  });
  return {
    linked,
    open: async () => (await open()).upstreams,
    async describe(name, source, signal) {
      const settings = upstreamOf(source);
      if (settings === undefined)
        throw new ToolcribError('internal', `Source ${name} is no upstream server.`);
      const [{ listings }, { describeMcpSource }] = await Promise.all([
        open(),
        import('../../sources/registry.ts'),
      ]);
      const { listing, stale } = await listings.listing(settings, signal);
      const local = settings.definition.transport.kind === 'stdio';
      const description = await describeMcpSource(name, listing, { local });
      return stale === undefined ? { description } : { description, stale };
    },
    executor: {
      ready: async (call, context) => (await open()).executor.ready?.(call, context),
      execute: async (call, context) => (await open()).executor.execute(call, context),
    },
    async reconfigured() {
      const definitions = upstreamDefinitions(configuration().sources);
      if (open.made === undefined && definitions.length === 0) return;
      (await open()).upstreams.configure(definitions);
    },
    states: async () => (await open.made)?.upstreams.states() ?? [],
    async close() {
      const known = await open.made?.catch(() => undefined);
      if (known === undefined) return;
      known.unfollow();
      await Promise.all([known.upstreams.close(), known.listings.close()]);
    },
  };
}

interface Opened {
  readonly upstreams: Upstreams;
  readonly listings: ReturnType<typeof createUpstreamListings>;
  readonly executor: Executor;
  readonly unfollow: () => void;
}
