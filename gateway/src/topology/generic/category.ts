import type { Access, JsonObject, JsonSchema } from '../../operations/index.ts';

/** What is done with one kind of record. */
export type GenericAction = 'search' | 'get' | 'create' | 'update';

/** A generic tool as its category describes it: the same for every provider. */
export interface GenericToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly access: Exclude<Access, 'dangerous'>;
  /** Properties only; `provider` is added where several are connected. */
  readonly input: JsonSchema;
}

/** One kind of record that every provider of a category has, e.g. a candidate. */
export interface RecordDefinition {
  /** Key of the list in the answer of `search`, e.g. `candidates`. */
  readonly list: string;
  /** The normalised record. */
  readonly schema: JsonSchema;
  readonly tools: Readonly<Partial<Record<GenericAction, GenericToolDefinition>>>;
}

/** A category with its generic tools. Data: a new category is a file. */
export interface Category {
  readonly category: string;
  readonly records: Readonly<Record<string, RecordDefinition>>;
}

/** Where a normalised value stands in a provider's record: the first of these that is there. */
export type FieldSource = string | readonly string[];

/** How one action is carried out by one of the provider's operations. */
export interface ActionMapping {
  /** Operation id in the manifest. */
  readonly operation: string;
  /**
   * Arguments of the operation: a tree whose leaves `{{name}}` are arguments of the generic tool;
   * `{{name|ms}}` writes an ISO 8601 time as milliseconds since the epoch.
   */
  readonly arguments: JsonObject;
  /** Only where one of these arguments is given. */
  readonly when?: readonly string[];
  /** Only where all of these are given. */
  readonly needs?: readonly string[];
  /** Accepted and not sent, since another argument says it already: a cursor that carries the filters. */
  readonly ignores?: readonly string[];
  /** JSON Pointers to the record, or for `search` to the list; the first that is there. Default: the whole answer. */
  readonly at?: FieldSource;
  /** How `search` goes on. */
  readonly next?: NextPage;
  /**
   * Where an update replaces the whole record: it is read first, and these arguments keep what stands there unless
   * they are given. Of a list the first item is replaced, the others stay.
   */
  readonly keeps?: {
    readonly operation: string;
    readonly arguments: JsonObject;
    readonly at?: FieldSource;
    /** Argument of the operation → JSON Pointer into the record that was read. */
    readonly fields: Readonly<Record<string, string>>;
  };
  /** A success that says inside that it failed. */
  readonly failure?: { readonly at: string; readonly equals: string; readonly message?: string };
}

/**
 * `value`: a token in the answer. `page`: the next number while `more` is true, or, without `more`, while pages are
 * full. `link`: a parameter of the `Link` header's next page (RFC 8288).
 */
type NextPage =
  | { readonly value: string }
  | { readonly page: 'number'; readonly more?: string; readonly size?: number }
  | { readonly link: string };

/** One record of one provider in the category's words. */
export interface RecordMapping {
  /**
   * Normalised field → JSON Pointers into the provider's record. `{/a} {/b}` joins texts; a pointer with `/*` collects
   * a list; a suffix `|ms` reads milliseconds since the epoch as ISO 8601.
   */
  readonly fields: Readonly<Record<string, FieldSource>>;
  /** Several ways to carry out an action: the first that knows every argument given. */
  readonly actions: Readonly<Partial<Record<GenericAction, readonly ActionMapping[]>>>;
}

/** `generic` of a provider's manifest, by record. */
export type GenericMappings = Readonly<Record<string, RecordMapping>>;
