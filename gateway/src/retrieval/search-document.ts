import type { Effect } from './wanted-effect.ts';

/** What is searched of one operation. */
export interface SearchDocument {
  /** `source/id`; unique in an index. */
  readonly key: string;
  /** Tool name; orders equal scores. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly path?: string;
  /** HTTP method, upper case. */
  readonly method?: string;
  /** Absent: it is not known. */
  readonly effect?: Effect;
  readonly tags: readonly string[];
  /** Parameter names with what is said about them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly hints?: string;
}

/** Documents of one source; read only where the part is new. */
export interface SearchPart {
  readonly source: string;
  /** Equal (`===`) stamps mean equal documents: the part of an earlier index is taken over. */
  readonly stamp: unknown;
  documents(): Iterable<SearchDocument>;
}
