import type { CatalogPart } from '../catalog/build.ts';
import { ToolcribError } from '../errors.ts';
import type { Executor } from '../executors/executor.ts';

/** Everything of a gateway that sources of kind `azure` need; nothing is loaded before a source is one. */
export interface ConnectorRooms {
  /** Brings the snapshot of a source up to date as far as its start waits for it. Its location, where there is one. */
  prepare(source: string, signal: AbortSignal): Promise<string | undefined>;
  /** What descriptions say of connections that are not signed in, by the connection's name. */
  marks(source: string): CatalogPart['marks'];
  /** Operations of connectors. */
  readonly executor: Executor;
  /** The sources' own tools. */
  readonly ownTools: Executor;
  /** Sources were added, changed or removed. */
  reconfigured(): Promise<void>;
  close(): Promise<void>;
}

export function createConnectorRooms(): ConnectorRooms {
  const notYet: Executor = {
    execute: () => Promise.reject(new ToolcribError('internal', 'No source of kind azure is open.')),
  };
  return {
    prepare: async () => undefined,
    marks: () => undefined,
    executor: notYet,
    ownTools: notYet,
    reconfigured: async () => undefined,
    close: async () => undefined,
  };
}
