import type { Binding, BodyFormat } from './binding.ts';

export interface ServerVariable {
  readonly default: string;
  readonly enum?: readonly string[];
}

/** OpenAPI Server Object with its URL made absolute against the document's own address where there is one. */
export interface ServerTemplate {
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
  /** Address of the document, where only a variable's value says whether the URL is relative. */
  readonly relativeTo?: string;
}

/** One alternative: every named scheme is needed. An empty record means "no credential". */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>;

/** What JSON Schema could say at the root only by combinations that few clients take. Checked when the request is built. */
export type ArgumentRule =
  /** Exactly one of these is given. */
  | { readonly exactlyOne: readonly string[] }
  /** Where `alone` is given, none of the others is. */
  | { readonly alone: string; readonly without: readonly string[] };

/** An HTTP request described by a document. */
export interface HttpInvocation {
  readonly kind: 'http';
  /** As it goes on the wire, e.g. `GET`. */
  readonly method: string;
  /** The document's own path key: `/v1/{+name}`, `/#Action=X`. Only `/:id` of a declared parameter is `/{id}`. */
  readonly path: string;
  /** Effective servers; the first is used unless the connection names a base URL. */
  readonly servers: readonly ServerTemplate[];
  readonly bindings: readonly Binding[];
  readonly body?: BodyFormat;
  /** Media types of the success responses, best first; sent as Accept. */
  readonly accept: readonly string[];
  /** Alternatives, any of which will do. Empty: nothing is sent. */
  readonly security: readonly SecurityAlternative[];
  /** The response root is no object: results and output schema are wrapped as `{ "result": … }`. */
  readonly wrapsResult?: boolean;
  /** Refused as `acting_user_missing` unless the caller is mapped to a user of the provider. */
  readonly actingUser?: 'required';
  readonly rules?: readonly ArgumentRule[];
}
