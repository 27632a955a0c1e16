/** One schema that says what both say, as far as a generator needs it (`not`, `if` stay with the validator). */
export function mergeSchemas(a, b) {
  if (a === true || b === true) return a === true ? b : a;
  if (a === false || b === false) return false;
  const merged = { ...a, ...b };
  if (a.type !== undefined && b.type !== undefined) merged.type = sharedTypes(list(a.type), list(b.type));
  if (a.enum !== undefined && b.enum !== undefined) merged.enum = sharedValues(a.enum, b.enum);
  if (a.required !== undefined && b.required !== undefined)
    merged.required = [...new Set([...a.required, ...b.required])];
  if (a.properties !== undefined && b.properties !== undefined)
    merged.properties = mergeProperties(a.properties, b.properties);
  if (a.items !== undefined && b.items !== undefined) merged.items = { allOf: [a.items, b.items] };
  if (a.pattern !== undefined && b.pattern !== undefined) merged.pattern = [a.pattern, b.pattern].flat();
  for (const key of ['allOf', 'also'])
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = [...a[key], ...b[key]];
  for (const key of ['anyOf', 'oneOf']) {
    if (a[key] === undefined || b[key] === undefined) continue;
    merged[key] = b[key];
    merged.also = [...(merged.also ?? []), { [key]: a[key] }];
  }
  for (const key of LOWER)
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.max(a[key], b[key]);
  for (const key of UPPER)
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.min(a[key], b[key]);
  if (a.additionalProperties === false || b.additionalProperties === false)
    merged.additionalProperties = false;
  return merged;
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

const list = (value) => (Array.isArray(value) ? value : [value]);

function sharedTypes(a, b) {
  const fits = (type, types) => types.includes(type) || (type === 'integer' && types.includes('number'));
  return [...new Set([...a.filter((type) => fits(type, b)), ...b.filter((type) => fits(type, a))])];
}

function sharedValues(a, b) {
  const texts = new Set(b.map((value) => JSON.stringify(value)));
  return a.filter((value) => texts.has(JSON.stringify(value)));
}

function mergeProperties(a, b) {
  const merged = { ...a };
  for (const [name, schema] of Object.entries(b)) {
    merged[name] = Object.hasOwn(a, name) ? { allOf: [a[name], schema] } : schema;
  }
  return merged;
}
