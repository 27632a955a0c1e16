import type { Configuration } from '../../config/configuration.ts';
import type { GatewayCore } from '../../gateway-types.ts';
import type { Diagnostic, Principal } from '../../operations/index.ts';

/** What the HTTP side needs of the gateway beside the calls themselves. */
export interface GatewayAdmin extends GatewayCore {
  readonly configuration: Configuration;
  /** Compile, policy and lock findings of the current catalog. */
  diagnostics(): readonly Diagnostic[];
  /** Accepts changed definitions into the lock: one tool, or all. Names the tools accepted. */
  accept(tool?: string): Promise<readonly string[]>;
  /** A stored full output; undefined when there is none of that id for this principal. */
  artifact?(id: string, principal: Principal): Promise<StoredArtifact | undefined>;
}

interface StoredArtifact {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}
