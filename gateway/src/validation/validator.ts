import { lintSchema, type SchemaDiagnostic, type SchemaVerdict } from '../compiler/lint-schema.ts';
import { ToolcribError } from '../errors.ts';
import type { JsonSchema } from '../operations/index.ts';
import {
  type CompiledSchema,
  createSchemaCompiler,
  type SchemaCompiler,
  WorkExceeded,
} from './compile-schema.ts';
import { explainErrors, type Subject, type ValidationProblem } from './explain-errors.ts';
import { createPatternEngine, type PatternEngine } from './linear-pattern.ts';
import { RecentlyUsed } from './recently-used.ts';

export type { ValidationProblem } from './explain-errors.ts';

export type ValidationOutcome =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly ValidationProblem[] };

export interface Validator {
  /** Loads the engine; `validate` does so itself where this was not awaited. */
  ready(): Promise<void>;
  /**
   * Checks a value against a schema (2020-12, no coercion, formats not checked). Compiled at first use, kept by
   * the schema's identity. Throws `schema_refused` for a schema that cannot be compiled safely.
   */
  validate(schema: JsonSchema, value: unknown, subject?: Subject): ValidationOutcome;
}

/** A schema from outside: the lint's word, and a check where it was accepted. */
export interface LintedSchema {
  readonly verdict: SchemaVerdict['verdict'];
  readonly diagnostics: readonly SchemaDiagnostic[];
  readonly validate?: (value: unknown) => boolean;
}

interface Engine {
  readonly patterns: PatternEngine;
  readonly compile: SchemaCompiler;
}

interface Prepared {
  /** As compiled; error paths lead into it. */
  readonly schema: JsonSchema | boolean;
  readonly run: CompiledSchema;
}

/** A validator that keeps the schemas compiled last, at most `maxKept`. */
export function createValidator(maxKept = 500): Validator {
  const kept = new RecentlyUsed<JsonSchema, Prepared>(maxKept);
  let engine: Engine | undefined;
  const load = (): Engine => {
    engine ??= createEngine();
    return engine;
  };
  return {
    async ready() {
      load();
    },
    validate(schema, value, subject = 'argument') {
      let prepared = kept.get(schema);
      if (prepared === undefined) {
        prepared = prepare(schema, load());
        kept.set(schema, prepared);
      }
      return check(prepared, value, subject);
    },
  };
}

/** Lints and compiles one schema that nobody has vouched for. Never throws for a bad schema. */
export function lintAndCompile(schema: unknown): LintedSchema {
  const engine = createEngine();
  const linted = lint(schema, engine);
  const { verdict, diagnostics } = linted;
  if (linted.schema === undefined) return { verdict, diagnostics };
  try {
    const prepared = { schema: linted.schema, run: engine.compile(linted.schema) };
    return { verdict, diagnostics, validate: (value) => accepts(prepared, value) === true };
  } catch (error) {
    const message = `The schema is refused: it cannot be compiled (${(error as Error).message}).`;
    return { verdict: 'reject', diagnostics: [...diagnostics, { pointer: '#', message }] };
  }
}

function createEngine(): Engine {
  const patterns = createPatternEngine();
  return { patterns, compile: createSchemaCompiler(patterns) };
}

function lint(schema: unknown, { patterns }: Engine): SchemaVerdict {
  return lintSchema(schema, { supportsPattern: (pattern) => patterns.compile(pattern) !== undefined });
}

function prepare(schema: JsonSchema, engine: Engine): Prepared {
  const linted = lint(schema, engine);
  const [first] = linted.diagnostics;
  if (linted.schema === undefined)
    throw new ToolcribError('schema_refused', first!.message, { pointer: first!.pointer });
  try {
    return { schema: linted.schema, run: engine.compile(linted.schema) };
  } catch (error) {
    throw new ToolcribError('schema_refused', `The schema cannot be compiled: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function check(prepared: Prepared, value: unknown, subject: Subject): ValidationOutcome {
  const outcome = accepts(prepared, value);
  if (outcome === true) return { valid: true };
  if (outcome !== false) return { valid: false, errors: [outcome] };
  const errors = guarded(() => prepared.run.errorsOf(value));
  if (!Array.isArray(errors)) return { valid: false, errors: [errors as ValidationProblem] };
  return { valid: false, errors: explainErrors(errors, prepared.schema, value, subject) };
}

function accepts({ run }: Prepared, value: unknown): boolean | ValidationProblem {
  return guarded(() => run.accepts(value));
}

/** A check that cannot be carried out to its end is a refusal: too deep, too long, no JSON. */
function guarded<T>(run: () => T): T | ValidationProblem {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return unchecked('the value is nested too deeply to be checked');
    if (error instanceof WorkExceeded)
      return unchecked('the value takes too long to check against its schema');
    if (error instanceof TypeError) return unchecked('the value is no JSON');
    throw error;
  }
}

function unchecked(message: string): ValidationProblem {
  return { pointer: '', message, keyword: 'check' };
}
