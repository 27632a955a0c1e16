/** One API connection of a resource group that has tools. */
export interface SnapshotConnection {
  /** Unique in the resource group. */
  readonly name: string;
  /** Name of the managed API; two connections may share one. */
  readonly api: string;
  /** What descriptions put in brackets: the connection's own name for itself, else the API's. */
  readonly displayName: string;
}

/**
 * What is known of a resource group: written by `connectors/`, read by this room. Lies in a file beside the documents that
 * it names, so that the compile cache and the next start know it by its bytes.
 */
export interface ConnectorSnapshot {
  readonly version: 1;
  /** Sorted by name; disabled ones are left out. */
  readonly connections: readonly SnapshotConnection[];
  /** File of each API's Swagger beside the snapshot: `<sha256>.json`. An API without one is not there yet. */
  readonly documents: Readonly<Record<string, string>>;
  /** What could not be read, one sentence each. */
  readonly problems: ReadonlyArray<{ readonly api?: string; readonly message: string }>;
}
