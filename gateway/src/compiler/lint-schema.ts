import { isObject, type JsonSchema } from '../operations/index.ts';
import { rebuildSchema } from './schema-rebuild.ts';
import { checkReferences } from './schema-references.ts';
import { DEFAULT_BUDGET, type SchemaBudget, SchemaRefused, surveySchema } from './schema-survey.ts';

export type { SchemaBudget } from './schema-survey.ts';

export interface SchemaDiagnostic {
  /** JSON Pointer fragment into the schema as it was given. */
  readonly pointer: string;
  readonly message: string;
}

export interface LintOptions {
  readonly budget?: Partial<SchemaBudget>;
  /** Whether a regular expression can be run in linear time. Default: what has neither look-around nor back-references. */
  readonly supportsPattern?: (pattern: string) => boolean;
}

export interface SchemaVerdict {
  readonly verdict: 'accept' | 'accept-sanitised' | 'reject';
  /**
   * What may be compiled: only `#/…` references, no `$id`, `$anchor` or `$schema`. The given object itself when
   * there was nothing to change. Absent when rejected.
   */
  readonly schema?: JsonSchema | boolean;
  readonly diagnostics: readonly SchemaDiagnostic[];
}

/**
 * Makes a schema from outside safe to compile and to run: bounded in size and depth, references inside the
 * document, no loop that consumes no data, no exponential alternatives, keyword values that mean something.
 * What only annotates or cannot be checked is dropped with a diagnostic; what cannot be trusted is rejected.
 */
export function lintSchema(schema: unknown, options: LintOptions = {}): SchemaVerdict {
  if (typeof schema === 'boolean') return { verdict: 'accept', schema, diagnostics: [] };
  if (!isObject(schema)) return reject('#', 'A schema is an object or a boolean.');
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const supports = options.supportsPattern ?? looksLinear;
  const diagnostics: SchemaDiagnostic[] = [];
  try {
    const survey = surveySchema(schema, budget);
    const unsupported = new Set(
      [...survey.patterns].filter((pattern) => pattern.length > budget.pattern || !supports(pattern)),
    );
    const rebuilt = rebuildSchema(schema, survey, unsupported, (pointer, message) =>
      diagnostics.push({ pointer, message }),
    );
    const checked = checkReferences(rebuilt, budget.alternatives);
    return {
      verdict: diagnostics.length === 0 ? 'accept' : 'accept-sanitised',
      schema: checked,
      diagnostics,
    };
  } catch (error) {
    if (error instanceof SchemaRefused)
      return reject(error.pointer, `The schema is refused: ${error.message}.`);
    throw error;
  }
}

function reject(pointer: string, message: string): SchemaVerdict {
  return { verdict: 'reject', diagnostics: [{ pointer, message }] };
}

/** Without the engine at hand: valid, and free of what no linear engine takes. */
function looksLinear(pattern: string): boolean {
  const bare = pattern.replace(/\\[^1-9k]/gs, '').replace(/\[[^\]]*(?:\]|$)/g, '');
  return isValid(pattern) && !/\(\?(?:[=!]|<[=!])|\\[1-9k]/.test(bare);
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
