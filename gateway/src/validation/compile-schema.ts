import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { JsonSchema } from '../operations/index.ts';
import { CountedErrors } from './counted-errors.ts';
import { areUnique, ValueSet } from './exact-values.ts';
import type { LinearPattern, PatternEngine } from './linear-pattern.ts';

/** Both functions throw WorkExceeded when a value takes too long, RangeError when it is nested too deeply. */
export interface CompiledSchema {
  accepts(value: unknown): boolean;
  /** The first errors with their schemas; compiled when first asked for, since that takes several times the code. */
  errorsOf(value: unknown): readonly ErrorObject[];
}

/** Schema functions entered for one value; recursive schemas can otherwise take exponential time. */
const MAX_WORK = 300_000;

/** Errors of one value that are kept to be told; ten of them are, with unions summed up. */
const MOST_ERRORS = 1000;

/** Thrown out of a validation that takes too long. */
export class WorkExceeded extends Error {}

export type SchemaCompiler = (schema: JsonSchema | boolean) => CompiledSchema;

/**
 * Loads ajv (2020-12). Each schema gets an instance of its own, so that nothing leaks between schemas, and is
 * expected to have passed the lint: no `$id`, local references only, every pattern known to the engine.
 */
export function createSchemaCompiler(engine: PatternEngine): SchemaCompiler {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const compile = (schema: JsonSchema | boolean, verbose: boolean) => {
    let left = MAX_WORK;
    const ajv = new Ajv2020({ ...optionsFor(engine), verbose });
    const hooks = ajv as WithHooks;
    hooks.work = () => {
      if (--left < 0) throw new WorkExceeded('too many schemas apply to this value');
    };
    hooks.errorsOf = (first) => new CountedErrors(verbose ? MOST_ERRORS : 0, first);
    useExactValues(ajv);
    const validate = ajv.compile(schema);
    return (value: unknown) => {
      left = MAX_WORK;
      if (validate(value)) return undefined;
      const errors = validate.errors as CountedErrors | null | undefined;
      // the compiled schema is kept, and its last errors with it
      validate.errors = null;
      return errors?.kept ?? [];
    };
  };
  return (schema) => {
    const first = compile(schema, false);
    let all: typeof first | undefined;
    return {
      accepts: (value) => first(value) === undefined,
      errorsOf(value) {
        all ??= compile(schema, true);
        return all(value) ?? [];
      },
    };
  };
}

/** What generated code calls. */
type WithHooks = { work?: () => void; errorsOf?: (first: ErrorObject) => CountedErrors };

function optionsFor(engine: PatternEngine): Options {
  const regExp = (pattern: string): LinearPattern => {
    const compiled = engine.compile(pattern);
    if (compiled === undefined) throw new Error(`the pattern ${pattern} cannot be run`);
    return compiled;
  };
  regExp.code = 'linearPattern';
  return {
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    messages: false,
    // Without it every property is compiled inside the test of the one before: slow, and too deep for hundreds.
    allErrors: true,
    inlineRefs: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    code: { regExp: regExp as never, process: (code) => countErrors(countWork(code)) },
  };
}

/** Every generated function first counts itself; `self` is the ajv instance in generated code. */
function countWork(code: string): string {
  return code.replace(/let vErrors ?= ?null;/, (start) => `self.work();${start}`);
}

/** Every list of errors that generated code begins is one that counts. */
function countErrors(code: string): string {
  return code.replace(/vErrors ?= ?\[(\w+)\]/g, 'vErrors = self.errorsOf($1)');
}

/** ajv compares pairwise and trusts `valueOf` of the data; these compare by value, in linear time. */
function useExactValues(ajv: Ajv): void {
  for (const keyword of ['enum', 'const', 'uniqueItems']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    errors: false,
    compile: (values: unknown[]) => {
      const known = new ValueSet(values);
      return (value: unknown) => known.has(value);
    },
  });
  ajv.addKeyword({
    keyword: 'const',
    errors: false,
    compile: (expected: unknown) => {
      const known = new ValueSet([expected]);
      return (value: unknown) => known.has(value);
    },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    compile: (wanted: boolean) => (values: unknown[]) => !wanted || areUnique(values),
  });
}
