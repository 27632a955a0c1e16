import { isObject, type JsonSchema } from '../../../operations/index.ts';

/** A converted schema as it is for a place that cannot hold null: a path always says something. What it refers to stays as it is. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const out: JsonSchema = { ...schema };
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const [first, ...more] = type.filter((one) => one !== 'null');
    if (first === undefined) return schema;
    out.type = more.length === 0 ? first : [first, ...more];
  }
  if (Array.isArray(values) && values.includes(null)) {
    const others = values.filter((value) => value !== null);
    if (others.length > 0) out.enum = others;
  }
  if (out.default === null) delete out.default;
  if (!Array.isArray(anyOf)) return out;
  const others = anyOf.filter((one) => !isObject(one) || one.type !== 'null');
  const [only] = others;
  if (only === undefined || others.length === anyOf.length) return out;
  if (others.length > 1 || !isObject(only) || Object.keys(only).some((key) => key !== 'anyOf' && key in out))
    return { ...out, anyOf: others };
  delete out.anyOf;
  return { ...only, ...out };
}
