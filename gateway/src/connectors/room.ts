import type { ToolcribError } from '../errors.ts';
import type { ConnectorRoom } from '../executors/azure/connector-room.ts';
import type { AzureSettings, Json, JsonObject } from '../operations/index.ts';
import type { ArmConnection } from './connections.ts';
import type { ManagedApis } from './managed-apis.ts';

/** What became of a connection that was put. */
export interface PutConnection {
  /** As Azure answered it. */
  readonly resource: JsonObject;
  /** Undefined where the answer names no connection. */
  readonly connection?: ArmConnection;
  /** Why its tools cannot be served, one sentence; absent: they can. */
  readonly warning?: string;
}

/** The live side of one source of kind `azure`: what is known of its resource group, kept up to date. */
export interface AzureRoom extends ConnectorRoom {
  /** The source's name. */
  readonly name: string;
  readonly settings: AzureSettings;
  /**
   * Location of the snapshot: at once where one is known, else as soon as the first load has ended or the patience is
   * over; undefined where nothing is known yet. The load goes on in the background. Rejects only by the signal.
   */
  prepare(signal: AbortSignal): Promise<string | undefined>;
  /** What ends the descriptions of a connection's tools, by its name. */
  marks(): Readonly<Record<string, string>>;
  /** Why the connections are not, or no longer, known; undefined: they are. */
  problem(): ToolcribError | undefined;
  /** Why the connections of an API have no tools, or not the newest; undefined: they have. */
  apiProblem(api: string): string | undefined;
  /** Where they are not known: tries again now, and waits a little. Never rejects for Azure's sake. */
  retry(signal: AbortSignal): Promise<void>;
  /** Those that serve tools, by what is known. */
  connections(): readonly ArmConnection[];
  /** Refuses, as `tool_forbidden`, what the configuration keeps out of reach. */
  checkReach(connection: string): void;
  /** Asks Azure. Disabled ones are among them. Throws ToolcribError. */
  listConnections(signal: AbortSignal): Promise<readonly ArmConnection[]>;
  /** The resource as Azure has it. Throws ToolcribError; `upstream_status` 404 where there is none. */
  getConnection(name: string, signal: AbortSignal): Promise<JsonObject>;
  /** Creates or changes it; resolves when its tools are in the catalog. Throws ToolcribError where Azure refuses. */
  putConnection(name: string, body: Json, signal: AbortSignal): Promise<PutConnection>;
  /** Resolves when its tools are gone. Throws ToolcribError; `upstream_status` 404 where there is none. */
  deleteConnection(name: string, signal: AbortSignal): Promise<void>;
  /** Fetches everything again, whatever is kept; resolves with what went wrong when the catalog has it. */
  reload(signal: AbortSignal): Promise<readonly string[]>;
  readonly managedApis: ManagedApis;
  /** Id of a managed API's resource, for the body of a connection. */
  managedApiId(api: string, location: string): string;
  /** Path of a region's managed APIs, or of one of them. */
  managedApiPath(location: string, api?: string): string;
  /** `/subscriptions/…/connections`, or the path of one of them. */
  connectionPath(name?: string): string;
  close(): Promise<void>;
}
