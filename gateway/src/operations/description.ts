import { isRequest } from './invocation/invocation.ts';
import type { JsonObject, JsonSchema } from './json/json.ts';
import type { Operation } from './operation.ts';
import type { ProviderFacts } from './provider.ts';
import type { SecurityScheme } from './security-scheme.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Something a source or the compiler wants its reader to know. */
export interface Diagnostic {
  /** Stable kebab-case id, e.g. `reference-broken`. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong and what was done about it, in one sentence each. */
  readonly message: string;
  readonly source?: string;
  /** JSON Pointer (RFC 6901) into the document, as a fragment: `#/paths/~1pets/get`. */
  readonly pointer?: string;
  /** File or URL, when it is not the source's main document. */
  readonly location?: string;
  /** What to do about it, where that is known. */
  readonly next?: string;
}

/** An operation that did not become a tool. */
export interface Skipped {
  readonly method: string;
  readonly path: string;
  readonly reason: string;
  readonly source?: string;
  /** Operation id, where it is known. */
  readonly operation?: string;
}

/** Where an operation stands, for a report that leaves it out; functions are called, not requested. */
export function placeOf({ id, invocation }: Operation): Pick<Skipped, 'operation' | 'method' | 'path'> {
  return isRequest(invocation)
    ? { operation: id, method: invocation.method, path: invocation.path }
    : { operation: id, method: 'CALL', path: id };
}

/** What a listed thing says of itself to clients beside its texts (MCP 2025-11-25). */
export interface ListedExtras {
  /** Whom it is for, how much it matters, when it changed. */
  readonly annotations?: JsonObject;
  readonly icons?: readonly JsonObject[];
  readonly _meta?: JsonObject;
}

export interface ResourceDescription extends ListedExtras {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface ResourceTemplateDescription extends ListedExtras {
  /** RFC 6570 template. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface PromptDescription extends Omit<ListedExtras, 'annotations'> {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
}

/** One argument of a prompt, or variable of a resource template, of which a beginning is typed. */
export interface CompletionQuestion {
  readonly reference: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly value: string;
  /** Other arguments that have their values already: what is offered may depend on them. */
  readonly chosen?: Readonly<Record<string, string>>;
}

/** Values of one completion at most (MCP, completion). */
export const MAX_COMPLETIONS = 100;

export interface Completion {
  readonly values: readonly string[];
  /** How many there are, where that is known. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** What one source says, after reading it: values only, no handles. */
export interface Description {
  readonly operations: readonly Operation[];
  readonly skipped: readonly Skipped[];
  readonly resources: readonly ResourceDescription[];
  readonly resourceTemplates: readonly ResourceTemplateDescription[];
  readonly prompts: readonly PromptDescription[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** Named schemas of the source, kept for topologies that publish them. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly diagnostics: readonly Diagnostic[];
  /** `sha256:` of everything that was read (bytes of every file, options). */
  readonly fingerprint: string;
  readonly info?: JsonObject;
  /** Where the source describes one provider with its rules. */
  readonly provider?: ProviderFacts;
}

export function emptyDescription(fingerprint: string): Description {
  return {
    operations: [],
    skipped: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    securitySchemes: {},
    components: {},
    diagnostics: [],
    fingerprint,
  };
}
