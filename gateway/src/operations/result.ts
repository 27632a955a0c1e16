import type { ErrorCode } from '../errors.ts';
import type { Json, JsonObject } from './json/json.ts';

/** Starts the URIs of stored full outputs; the id follows. */
export const ARTIFACT_URI_PREFIX = 'toolcrib://artifacts/';

/** What follows the prefix of a stored output's URI, whatever it is; undefined for any other address. */
export function storedIdOf(uri: string): string | undefined {
  return uri.startsWith(ARTIFACT_URI_PREFIX) ? uri.slice(ARTIFACT_URI_PREFIX.length) : undefined;
}

/** Where a result's meta keeps the arguments that lead to the next page. */
export const NEXT_PAGE_META = 'toolcrib/next-page';
/** Where a result's meta keeps headers of the answer, for programs; its text tells those that matter to a model. */
export const HEADERS_META = 'toolcrib/headers';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType?: string } & (
        | { readonly text: string }
        | { readonly blob: string }
      );
    };

export interface CallError {
  readonly code: ErrorCode;
  readonly message: string;
  /** What the caller can do next. */
  readonly next?: string;
  /** HTTP status of the upstream's answer, where there was one. */
  readonly status?: number;
  readonly details?: JsonObject;
}

/** The call ended. `error` present means MCP `isError: true`. */
export interface CompletedResult {
  readonly kind: 'completed';
  readonly content: readonly ContentBlock[];
  readonly structured?: Json;
  readonly error?: CallError;
  /** For the caller: output that does not match its schema, text that was cut. */
  readonly warnings?: readonly string[];
  /** False: `structured` is no answer of the service (dry run, empty body), or one of another type that it
   * documents, so that no output schema applies. */
  readonly outputApplies?: boolean;
  /** `structured` breaks even the schema that clients were shown: one that checks it would refuse the whole answer. */
  readonly breaksPublished?: true;
  /** Wire facts for events and the command line. */
  readonly status?: number;
  readonly meta?: JsonObject;
  /** URIs of artifacts that hold the full output. */
  readonly artifacts?: readonly string[];
}

/** One question to the client: MCP `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: JsonObject;
}

/** The call needs something of the client before it can go on (MCP 2026-07-28 InputRequiredResult). */
export interface InputRequiredResult {
  readonly kind: 'input_required';
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** Opaque to the client; signed by the server before it leaves. */
  readonly state?: Json;
  /** Answers that do not fit their forms are refused before the call is made again. */
  readonly checked?: true;
}

export type Result = CompletedResult | InputRequiredResult;
