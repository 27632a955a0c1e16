import { type LintOptions, lintSchema } from '../../compiler/lint-schema.ts';
import { isObject, type JsonObject, type JsonSchema } from '../../operations/index.ts';

/** Foreign schemas are smaller than whole API descriptions; every one is published. */
const BUDGET: NonNullable<LintOptions['budget']> = { schemas: 4000, depth: 64, total: 500_000 };

/** A reference that means something else once the schema is a property. */
const REFERENCE_ELSEWHERE = /"\$ref":"#(?!\/\$defs\/)/;

export type CheckedSchema = { readonly schema: JsonSchema } | { readonly refused: string };

/** An input schema that is safe to publish and to compile; its root is an object. */
export function inputSchema(given: JsonObject): CheckedSchema {
  const checked = checkedSchema(given);
  if ('refused' in checked) return checked;
  const { type } = checked.schema;
  if (type !== undefined && type !== 'object') return { refused: 'its input is no object' };
  return type === 'object' ? checked : { schema: { type: 'object', ...checked.schema } };
}

/** An output schema with an object at its root; another root is published under `result`. */
export function outputSchema(given: JsonObject): CheckedSchema {
  const checked = checkedSchema(given);
  if ('refused' in checked || !wrapsResult(given)) return checked;
  const { $defs, ...result } = checked.schema;
  if (REFERENCE_ELSEWHERE.test(JSON.stringify(checked.schema))) {
    return { refused: 'it refers to its own root, which is no object' };
  }
  return {
    schema: {
      type: 'object',
      properties: { result },
      required: ['result'],
      ...($defs === undefined ? {} : { $defs }),
    },
  };
}

/** True where structured content is published under `result`: since 2026-07-28 it may be any value. */
export function wrapsResult(output: JsonSchema): boolean {
  return output['type'] !== 'object' && !isObject(output['properties']);
}

/** `$schema` names a dialect, which the check finds out for itself. */
function checkedSchema({ $schema: _dialect, ...schema }: JsonObject): CheckedSchema {
  const verdict = lintSchema(schema, { budget: BUDGET });
  if (isObject(verdict.schema)) return { schema: verdict.schema };
  return { refused: verdict.diagnostics[0]?.message ?? 'its schema cannot be used' };
}
