import type { Json } from '../json/json.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** OpenAPI 3.1 §4.8.12 "Style Values", plus 3.2's `cookie`. */
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie';

/**
 * Where a value comes from: exactly one of an argument, a constant that the model is never asked for, or what the
 * gateway knows of the caller (`actingUser`: the principal's own user id at the provider).
 */
export type BindingValue =
  | { readonly arg: string; readonly const?: never; readonly inject?: never }
  | { readonly const: Json; readonly arg?: never; readonly inject?: never }
  | { readonly inject: 'actingUser'; readonly arg?: never; readonly const?: never };

/**
 * Swagger 2.0 `items.collectionFormat`: what stands between the items of lists within the list, the outermost first.
 * Absent: such a list is one JSON text.
 */
export type NestedDelimiters = ReadonlyArray<',' | ' ' | '\t' | '|'>;

/** OpenAPI Encoding Object of one property of a form. */
export interface PartEncoding {
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Swagger 2.0 `collectionFormat: tsv`. */
  readonly delimiter?: '\t';
  readonly nested?: NestedDelimiters;
  /** Constant part headers; multipart only. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The part is a file: base64 text, or `{data, filename?, contentType?}`. `data-url`: what is given as a data URL is one,
   * and any other text is text.
   */
  readonly file?: boolean | 'data-url';
  /** Of a part that is a multipart body itself (OpenAPI 3.2 "Nested Encoding"). */
  readonly parts?: Pick<BodyFormat, 'encoding' | 'firstParts' | 'otherParts'>;
}

/** How one argument becomes one part of the request. */
export type ParameterBinding = BindingValue & {
  readonly in: ParameterPlace;
  /** The name on the wire; for `path` the placeholder in the template, without operators. */
  readonly name: string;
  /** Absent: `simple` in path and header, `form` in query and cookie. */
  readonly style?: ParameterStyle;
  /** Absent: true for `form` and `cookie`, false otherwise. */
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Swagger 2.0 `collectionFormat: tsv`, which no OpenAPI 3 style can say. */
  readonly delimiter?: '\t';
  readonly nested?: NestedDelimiters;
  /** An OpenAPI `content` parameter: the value is serialised by this media type. */
  readonly contentType?: string;
  /** Of a form as such content: its members that have an Encoding Object. */
  readonly members?: Readonly<Record<string, PartEncoding>>;
  /**
   * `double`: the value is percent-encoded twice (x-ms-url-encoding: double). `slashes`: a path value is several
   * segments (x-ms-skip-url-encoding).
   */
  readonly encoding?: 'double' | 'slashes';
};

/** A part of the body. `name: ""` is the whole body; otherwise one top-level property of an object body. */
export type BodyBinding = BindingValue & {
  readonly in: 'body';
  readonly name: string;
  /** The document's own; what is sent instead of one that no server knows says `BodyFormat`. */
  readonly contentType: string;
};

export type Binding = ParameterBinding | BodyBinding;

/** How the bound body is written. */
export interface BodyFormat {
  /** What is sent: one type, never a range. */
  readonly contentType: string;
  readonly required: boolean;
  /** Multipart: the JSON type of the same body for calls that give no file, so that null and structures arrive. */
  readonly withoutFiles?: string;
  /** The bytes arrive as base64 text. */
  readonly binary?: boolean;
  /** Bytes only: `image/*`, where the document leaves the type open; a file of no such type goes out as `contentType`. */
  readonly range?: string;
  /** JSON only: the bound object is one record of a list, sent as `{ "data": [record] }`. */
  readonly wrapInData?: boolean;
  /** Per property, for urlencoded and multipart bodies. */
  readonly encoding?: Readonly<Record<string, PartEncoding>>;
  /** Multipart without names: of the first parts, by their place in the list. */
  readonly firstParts?: readonly PartEncoding[];
  /** Multipart: of parts that neither `encoding` names nor `firstParts` places. */
  readonly otherParts?: PartEncoding;
}
