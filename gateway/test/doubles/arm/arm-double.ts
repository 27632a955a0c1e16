import type { ConnectionSeed } from './connections.ts';
import type { ArmRequestRecord, Damage, Interruption } from './interference.ts';
import type { EscapedPath } from './invoke.ts';
import type { Json, JsonObject } from './json.ts';
import type { ConnectorDocument } from './managed-apis.ts';
import type { Invocation, Script } from './scripts.ts';
import type { MintOptions } from './tokens.ts';

export interface ArmOptions {
  /** Ports of 127.0.0.1; default any free one. `sidePort`: the host of documents and consent pages. */
  readonly port?: number;
  readonly sidePort?: number;
  readonly subscription?: string;
  readonly resourceGroup?: string;
  readonly location?: string;
  /** Managed APIs of the region. Default: the double's own `mail` and `chat`. */
  readonly connectors?: readonly ConnectorDocument[];
  /** Default: `mail`, signed in. */
  readonly connections?: readonly ConnectionSeed[];
  /** Further entries of the list of managed APIs. Default 40. */
  readonly fillerApis?: number;
  /** Connections in one answer; default all. */
  readonly pageSize?: number;
  /** True: a token that the double did not give out is good too. Default false. */
  readonly anyToken?: boolean;
  /** Values that a helper does not list are refused. Default false. */
  readonly refuseUnlisted?: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A loopback Azure Resource Manager with managed connectors behind it. */
export interface ArmDouble {
  readonly url: string;
  /** Origin of documents by URL and of consent pages. */
  readonly sideUrl: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
  /** Every request to ARM in the order of arrival, answered or not. */
  readonly requests: readonly ArmRequestRecord[];
  /** Every call of `dynamicInvoke` that was understood so far. */
  readonly invocations: readonly Invocation[];
  /** Paths that left their connector: always empty with a client that is right. */
  readonly escaped: readonly EscapedPath[];
  /** Most exports of documents that were under way at once. */
  readonly peakExports: number;
  token(options?: MintOptions): string;
  refuseToken(token: string): void;
  /** Takes a right away or gives it back, e.g. `Microsoft.Web/connections/read`. */
  deny(action: string): void;
  allow(action: string): void;
  putConnector(connector: ConnectorDocument): void;
  putConnection(connection: ConnectionSeed): void;
  removeConnection(name: string): void;
  /** Changes status or state of a connection that is there. */
  changeConnection(name: string, change: Partial<Pick<ConnectionSeed, 'status' | 'state' | 'shape'>>): void;
  /** The resource as ARM shows it; undefined: there is none. */
  connection(name: string): JsonObject | undefined;
  /** Answers of `<api>.<operationId>`, in turn, the last one stays; none: its own again. */
  script(key: string, ...answers: readonly Script[]): void;
  /** Pages of rows for an operation with `x-ms-pageable`. */
  pages(key: string, rows: readonly Json[], size: number): void;
  interrupt(interruption: Interruption): void;
  breakApi(api: string, damage: Damage): void;
  healApi(api: string): void;
  /** The next requests are answered 429. `seconds`: Retry-After. */
  throttle(times: number, seconds?: number): void;
  /** What the headers say is left of the subscription's reads, writes and deletes. */
  remaining: number;
  expireConsentLinks(): void;
  /** Empties the records and takes back scripts, interruptions and damages. */
  forget(): void;
  close(): Promise<void>;
}
