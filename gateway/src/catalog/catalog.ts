import type {
  Connection,
  Diagnostic,
  Operation,
  OperationFacts,
  PromptDescription,
  ProviderFacts,
  PublishedTool,
  ResourceDescription,
  ResourceTemplateDescription,
  Skipped,
} from '../operations/index.ts';

/** One compiled operation: the tool that shows it and the operation itself. */
export interface CatalogEntry extends PublishedTool {
  /** `source/id` */
  readonly operation: string;
  readonly source: string;
  readonly facts: OperationFacts;
  /** Ends the first line of its description: a state of its connection, which is no part of the definition. */
  readonly mark?: string;
  /** The tool without its mark, where it has one. */
  readonly definition?: PublishedTool['tool'];
  /** `sha256:` over the canonical tool and invocation; what the lock holds. Computed when first asked for. */
  readonly hash: string;
  /** Reads the whole operation; cheap after the first time. */
  load(): Operation;
  /** Of its source: where the tokens for its credential come from is among what the lock holds. */
  readonly securitySchemes: Connection['securitySchemes'];
  /** Set while a changed definition waits for acceptance: listed nowhere, called never. */
  readonly quarantined?: boolean;
}

/** An immutable snapshot of everything that all sources describe. Swapped as a whole. */
export interface Catalog {
  /** `sha256:` over what was read and how it was compiled. */
  readonly hash: string;
  /** Sorted by tool name (UTF-16 code units). */
  readonly entries: readonly CatalogEntry[];
  byTool(name: string): CatalogEntry | undefined;
  readonly resources: ReadonlyArray<ResourceDescription & { readonly source: string }>;
  readonly resourceTemplates: ReadonlyArray<ResourceTemplateDescription & { readonly source: string }>;
  /** `original`: the name at its source, where another source had it first. */
  readonly prompts: ReadonlyArray<
    PromptDescription & { readonly source: string; readonly original?: string }
  >;
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly CatalogSource[];
  connection(source: string): Connection | undefined;
}

export interface CatalogSource {
  readonly name: string;
  readonly kind: string;
  readonly fingerprint: string;
  readonly operations: number;
  readonly provider?: ProviderFacts;
  /** The last attempt to read it again failed; this is the last good state. */
  readonly stale?: { readonly since: string; readonly message: string };
}
