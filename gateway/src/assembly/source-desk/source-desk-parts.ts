import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Gateway, GatewayOptions } from '../../gateway-api.ts';
import type { UpstreamState } from '../../upstreams/upstreams.ts';
import type { LockReview } from '../compiling/lock-review.ts';
import type { RunSources } from './run-sources.ts';

export interface SourceDeskParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly catalog: Pick<LiveCatalog, 'current' | 'reads'>;
  readonly lock: Pick<LockReview, 'drift'>;
  readonly upstreams: () => Promise<readonly UpstreamState[]>;
  readonly runSources: RunSources;
  /** Reads the configuration file as the gateway does when it changes; absent: nobody follows it. */
  readonly reload: (() => Promise<Configuration>) | undefined;
  readonly gateway: Pick<Gateway, 'reconfigure' | 'refresh'>;
  /** A gateway for a try, with what the embedder brought; whoever asks closes it. */
  readonly openTrial: (configuration: Configuration) => Promise<Gateway>;
  /** What the embedder brought. */
  readonly brought: Pick<GatewayOptions, 'sourceKinds' | 'topologies'>;
  readonly env: Readonly<Record<string, string | undefined>>;
}
