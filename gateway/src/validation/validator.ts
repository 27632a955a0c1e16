import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../operations/index.ts';

export interface ValidationProblem {
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}
export type ValidationOutcome = { readonly valid: true } | { readonly valid: false; readonly errors: readonly ValidationProblem[] };

export interface Validator {
  ready(): Promise<void>;
  validate(schema: JsonSchema, value: unknown): ValidationOutcome;
}

export function createValidator(): Validator {
  const compiled = new WeakMap<object, ValidateFunction>();
  const compile = (schema: JsonSchema): ValidateFunction => {
    const require = createRequire(import.meta.url);
    const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
    return new Ajv2020({ strict: false, validateFormats: false, logger: false, allErrors: true }).compile(schema);
  };
  return {
    ready: async () => undefined,
    validate(schema, value) {
      let run = compiled.get(schema);
      if (run === undefined) {
        run = compile(schema);
        compiled.set(schema, run);
      }
      if (run(value)) return { valid: true };
      return { valid: false, errors: (run.errors ?? []).slice(0, 10).map((e) => ({ pointer: e.instancePath, message: `${e.instancePath} ${e.message}`, keyword: e.keyword })) };
    },
  };
}
