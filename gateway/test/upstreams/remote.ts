import type { RemoteTransport } from '../../src/upstreams/transports/transport.ts';
import type { UpstreamDefinition } from '../../src/upstreams/upstreams.ts';

/** The definition of a remote server called `remote`. */
export function remote(url: string, changes: Partial<RemoteTransport> = {}): UpstreamDefinition {
  return {
    name: 'remote',
    transport: { kind: 'http', url, headers: {}, ...changes },
    era: 'auto',
    share: 'one',
    startTimeoutMs: 5_000,
    idleMs: 0,
    hangMs: 5_000,
    restart: true,
  };
}
