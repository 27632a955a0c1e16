import type {
  HttpInvocation,
  Json,
  JsonObject,
  Operation,
  Principal,
  ProviderFacts,
  Result,
  SecurityAlternative,
  ServerTemplate,
} from '../operations/index.ts';

/** An operation that is an HTTP request. */
export type HttpOperation = Operation & { readonly invocation: HttpInvocation };

/** What the proxy carries out calls as; the slug of its usage rows. */
export const PROXY_TOOL = 'ats-proxy';

/** A provider's request as its caller wrote it: nothing in it is trusted. */
export interface ProxyRequest {
  readonly provider: string;
  readonly method: string;
  /** Below the provider's base URL, or an absolute URL under it; may hold a query. */
  readonly path: string;
  readonly query?: JsonObject;
  /** As it goes on the wire, wrapped where the provider wraps. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One source that the proxy may reach. */
export interface ProxySource {
  /** Name in the configuration. */
  readonly name: string;
  readonly provider: ProviderFacts;
  /** Levels are set by it. */
  readonly category: string;
  /** The configuration's own base URL; wins over the provider's and its regions'. */
  readonly baseUrl?: string;
  readonly region?: string;
  /** What matches no operation may go, classed by its method. */
  readonly rawProxy: boolean;
  readonly operations: readonly Operation[];
  /** What the catalog left out, dangerous operations first of all: nothing reaches it by whatever request. */
  readonly closed: readonly ClosedPlace[];
}

export interface ClosedPlace {
  readonly method: string;
  readonly path: string;
  /** Its id, where it has one. */
  readonly operation?: string;
}

/** Carries out one call through the router; a failed call is in the result. */
export type ProxyCall = (call: {
  readonly operation: Operation;
  readonly tool: string;
  readonly source: string;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly arguments: JsonObject;
}) => Promise<Result>;

/** What an HTTP route answers; `null` is no body. */
export interface ProxyAnswer {
  readonly status: number;
  readonly body: JsonObject | null;
}

/** What raw requests of a source share with its operations. */
export interface RawTemplate {
  readonly security: readonly SecurityAlternative[];
  readonly servers: readonly ServerTemplate[];
}
