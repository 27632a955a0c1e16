import type {
  Diagnostic,
  Operation,
  OperationFacts,
  PromptDescription,
  ProviderFacts,
  ResourceDescription,
  ResourceTemplateDescription,
  SecurityScheme,
  Skipped,
  Tool,
} from '../operations/index.ts';

/** One tool of a compiled source. Its definition and the rest of the operation may still be bytes. */
export interface CompiledTool {
  readonly name: string;
  readonly tool: Tool;
  readonly facts: OperationFacts;
  json(): string;
  /** `json` in UTF-8, where it is kept so. */
  bytes?(): Uint8Array;
  operation(): Operation;
}

/** What one source contributes to a catalog. */
export interface CompiledSource {
  readonly name: string;
  readonly kind: string;
  readonly fingerprint: string;
  /** Sorted by tool name. */
  readonly tools: readonly CompiledTool[];
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
  readonly resources: readonly ResourceDescription[];
  readonly resourceTemplates: readonly ResourceTemplateDescription[];
  readonly prompts: readonly PromptDescription[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly provider?: ProviderFacts;
}

/** The operation as it was published: arguments are validated against exactly what the client was shown. */
export function compiledOperation(
  operation: Omit<Operation, 'input' | 'description'>,
  tool: Tool,
): Operation {
  return { ...operation, description: tool.description, input: tool.inputSchema };
}
