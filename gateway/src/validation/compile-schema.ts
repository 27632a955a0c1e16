import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { JsonSchema } from '../operations/index.ts';
import { areUnique, ValueSet } from './exact-values.ts';
import type { LinearPattern, PatternEngine } from './linear-pattern.ts';

/** What a compiled schema says about a value; `undefined` means valid. */
export type CompiledSchema = (value: unknown) => readonly ErrorObject[] | undefined;

/** Schema functions entered for one value; recursive schemas can otherwise take exponential time. */
const MAX_WORK = 300_000;

/** Thrown out of a validation that takes too long. */
export class WorkExceeded extends Error {}

export type SchemaCompiler = (schema: JsonSchema | boolean) => CompiledSchema;

/**
 * Loads ajv (2020-12). Each schema gets an instance of its own, so that nothing leaks between schemas, and is
 * expected to have passed the lint: no `$id`, local references only, every pattern known to the engine.
 */
export function createSchemaCompiler(engine: PatternEngine): SchemaCompiler {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return (schema) => {
    const work = { left: MAX_WORK };
    const ajv = new Ajv2020(optionsFor(engine));
    (ajv as WithWork).work = () => {
      if (--work.left < 0) throw new WorkExceeded('too many schemas apply to this value');
    };
    useExactValues(ajv);
    const validate = ajv.compile(schema);
    return (value) => {
      work.left = MAX_WORK;
      return validate(value) === true ? undefined : (validate.errors ?? []);
    };
  };
}

type WithWork = { work?: () => void };

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
    addUsedSchema: false,
    validateFormats: false,
    logger: false,
    messages: false,
    allErrors: true,
    inlineRefs: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    code: { regExp: regExp as never, process: countWork },
  };
}

/** Every generated function first counts itself; `self` is the ajv instance in generated code. */
function countWork(code: string): string {
  return code.replace(/let vErrors ?= ?null;/, (start) => `self.work();${start}`);
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
