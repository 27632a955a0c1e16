import { type Invocation, isOfSkill, isRequest } from './invocation/invocation.ts';
import type { JsonObject, JsonSchema } from './json/json.ts';
import { cutText } from './text/cut-text.ts';

/**
 * What an operation does, ordered by harm; what somebody may do is an `AccessLevel` (access-level.ts). `dangerous`
 * operations are never listed, found or callable.
 */
export type Access = 'read' | 'write' | 'delete' | 'dangerous';
/** Every `Access`, the least harm first. */
export const ACCESS_LEVELS: readonly Access[] = ['read', 'write', 'delete', 'dangerous'];

export interface SafetyProfile {
  /** Talks to something outside this machine. */
  readonly network: boolean;
  /** Reads or writes the local file system. */
  readonly file: boolean;
  readonly destructive: boolean;
  /** Nobody said whether it destroys: `destructive` is what we take it for, and nothing to tell others. */
  readonly destructiveUnknown?: true;
  /** Repeating the call has no further effect (RFC 9110 §9.2.2). */
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** What a principal must hold, beyond the access level. */
export interface Requirements {
  readonly permissions?: readonly string[];
  readonly roles?: readonly string[];
  /** All of them must be switched on. */
  readonly feature?: string | readonly string[];
}

export interface Limits {
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly maxOutputBytes?: number;
  /** The most calls within a window that the description asks for; kept per connection and operation. */
  readonly rate?: { readonly calls: number; readonly windowMs: number };
  /** A call that may have arrived is never sent again, whatever method and access say. */
  readonly repeat?: false;
}

/** What one call costs and how long it takes, as its author declares it; budgets count by it. */
export interface CostProfile {
  /** Price of one call in US dollars; default 0. */
  readonly usd?: number;
  /** Milliseconds that a call usually takes. */
  readonly typicalMs?: number;
}

/** The most that one principal, or one run, may use within a window. */
export interface Budget {
  readonly calls?: number;
  /** US dollars, counted by the operation's CostProfile. */
  readonly usd?: number;
  /** Bytes of answers given to the caller. */
  readonly bytes?: number;
  /** `principal` counts within `windowMs`; `run` as long as the run lasts. Default `principal`. */
  readonly per?: 'principal' | 'run';
  /** Milliseconds; default one day. */
  readonly windowMs?: number;
}

/** One thing that can be called, whatever described it. Frozen; hashed by its canonical JSON. */
export interface Operation {
  /** Unique and stable within its source: the operationId, or `METHOD /path`. */
  readonly id: string;
  /** The name of the source in the configuration. */
  readonly source: string;
  /** Preferred tool name before prefix and length rules; absent: derived from `id`. */
  readonly name?: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema 2020-12 with `type: object` at the root and local `#/$defs` only. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  /** Headers of an answer that say what its body does not: a cursor, a version, where a job stands. */
  readonly answerHeaders?: readonly string[];
  /** An answer that does not fit `output` is an error: the service reports failures with status 200. */
  readonly strictOutput?: boolean;
  readonly access: Access;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly safety: SafetyProfile;
  /** Set where the operator enabled what its document holds dangerous: a person agrees to every call. */
  readonly enabledDangerous?: true;
  /** Why a person agrees to each call although its access would not ask, in one sentence. */
  readonly confirmation?: string;
  /** How its author ranks it among its neighbours; absent: in the middle. */
  readonly importance?: 'important' | 'advanced';
  readonly requirements?: Requirements;
  readonly limits?: Limits;
  readonly cost?: CostProfile;
  /** What its author allows; the configuration's budgets count beside it. */
  readonly budget?: Budget;
  /** Vendor hints for models (x-llm-hints and the like), untouched; `hints/` reads them. */
  readonly hints?: JsonObject;
  readonly invocation: Invocation;
  /** Passed on to clients as the tool's `_meta`. */
  readonly meta?: JsonObject;
}

/** What listing, search and policy need of an operation; kept in memory for every tool, unlike the rest. */
export interface OperationFacts
  extends Pick<
    Operation,
    | 'id'
    | 'source'
    | 'access'
    | 'tags'
    | 'deprecated'
    | 'requirements'
    | 'title'
    | 'safety'
    | 'cost'
    | 'importance'
  > {
  /** Where it goes, for operations that are requests. */
  readonly http?: { readonly method: string; readonly path: string };
  /** The managed API and its connection, for operations of kind `azure`. */
  readonly connector?: { readonly api: string; readonly connection: string };
  /** The skill that brought it. */
  readonly skill?: string;
  /** What it is for by its hints, in one sentence. */
  readonly purpose?: string;
  /** It has hints for models. */
  readonly hinted?: true;
}

/** Characters of a purpose that are kept for listing. */
const PURPOSE_LENGTH = 200;

export function factsOf(operation: Operation): OperationFacts {
  const { invocation, hints } = operation;
  const purpose = hints?.['purpose'];
  return {
    id: operation.id,
    source: operation.source,
    access: operation.access,
    tags: operation.tags,
    safety: operation.safety,
    ...(isRequest(invocation) ? { http: { method: invocation.method, path: invocation.path } } : {}),
    ...(invocation.kind === 'azure'
      ? { connector: { api: invocation.api, connection: invocation.connection } }
      : {}),
    ...(isOfSkill(invocation) ? { skill: invocation.skill } : {}),
    ...(operation.importance === undefined ? {} : { importance: operation.importance }),
    ...(typeof purpose === 'string' ? { purpose: cutText(purpose, PURPOSE_LENGTH) } : {}),
    ...(hints === undefined ? {} : { hinted: true as const }),
    ...(operation.cost === undefined ? {} : { cost: operation.cost }),
    ...(operation.title === undefined ? {} : { title: operation.title }),
    ...(operation.deprecated === undefined ? {} : { deprecated: operation.deprecated }),
    ...(operation.requirements === undefined ? {} : { requirements: operation.requirements }),
  };
}

/** Of which source an operation is that is named so; '' where nobody named one. */
export function sourceOfKey(key = ''): string {
  return key.split('/', 1)[0]!;
}

/** How an operation is named beside others of every source. */
export function operationKey({ source, id }: Pick<Operation, 'source' | 'id'>): string {
  return `${source}/${id}`;
}
