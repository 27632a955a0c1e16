import { isObject, type Json, type JsonSchema } from '../../operations/index.ts';

/** A sample nested deeper, or with more properties, says too much for a schema. */
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 40;

/**
 * The shape of one sample: types and property names, never its values. Nothing is required and everything else is
 * allowed, since one sample proves neither.
 */
export function schemaOfSample(sample: Json, depth = 0): JsonSchema {
  if (sample === null || depth > MAX_DEPTH) return {};
  if (Array.isArray(sample)) {
    const [first] = sample;
    return first === undefined
      ? { type: 'array' }
      : { type: 'array', items: schemaOfSample(first, depth + 1) };
  }
  if (!isObject(sample)) {
    return { type: typeof sample as 'string' | 'number' | 'boolean' };
  }
  const entries = Object.entries(sample).slice(0, MAX_PROPERTIES);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, value]) => [name, schemaOfSample(value, depth + 1)])),
  };
}
