import type { EgressLimits, EgressResponse } from '../../egress/index.ts';
import type { Connection, Json, JsonObject, Operation } from '../../operations/index.ts';

/** One request to Azure Resource Manager. */
export interface ArmRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Absolute path below the ARM endpoint, segments percent-encoded: `/subscriptions/…`. */
  readonly path: string;
  /** Default `2016-06-01`. */
  readonly apiVersion?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** The live side of one source of kind `azure`, as calls see it; `connectors/` implements it. */
export interface ConnectorRoom {
  /** `/subscriptions/…/connections/<name>/dynamicInvoke`. */
  invokePath(connection: string): string;
  /** The same as URL with its query, for dry runs. */
  url(request: ArmRequest): string;
  /**
   * Sends one request once, with a token; a 401 of ARM itself gets one more try with a fresh one. Resolves for every
   * status. Rejects with EgressFailure as the door does, and ToolcribError where no token can be had
   * (`credentials_missing`, with what to do about it).
   */
  send(request: ArmRequest, limits: EgressLimits, signal: AbortSignal): Promise<EgressResponse>;
  /** `Connected`, `Error`, …: what ARM said last; undefined: there is no such connection any more. */
  status(connection: string): string | undefined;
  /** A call has shown whether the connection is signed in; listings follow. */
  observed(connection: string, status: 'Connected' | 'Error'): void;
  /** A link by which a person signs the connection in; good for about ten minutes. Throws ToolcribError. */
  consentLink(connection: string, signal: AbortSignal): Promise<string>;
  /** Resolves true as soon as ARM says that the connection is signed in, false after the time or abort. */
  whenConnected(connection: string, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  /** An operation of the connection's API by its operationId, hidden ones too; undefined: there is none. */
  helper(connection: string, operationId: string): Promise<Operation | undefined>;
}

/** Finds the room of the source that a call goes to. Throws `source_unknown`. */
export type FindConnectorRoom = (connection: Connection) => Promise<ConnectorRoom>;

/** One value that a parameter accepts now. */
export interface ParameterOption {
  readonly value: Json;
  readonly title?: string;
  /** Trees: it has more below. */
  readonly parent?: boolean;
}

/** What one argument of an operation accepts now. */
export interface ParameterOptions {
  /** JSON Pointer into the arguments. */
  readonly argument: string;
  readonly options?: readonly ParameterOption[];
  /** False: the connector has more than these. */
  readonly complete?: boolean;
  /** For arguments whose schema is known at run time only. */
  readonly schema?: JsonObject;
  /** Why neither is known now, in one sentence: which argument to give first, what the connector said. */
  readonly problem?: string;
}
