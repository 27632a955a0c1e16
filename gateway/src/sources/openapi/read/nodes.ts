import { isObject, type JsonObject } from '../../../operations/index.ts';

/** Keywords whose values are data: a `$ref` in them refers to nothing. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** The only extensions that are compiled. */
const EXTENSIONS = new Set(['x-ms-paths', 'x-ms-parameterized-host']);
const NAME_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
  'headers',
  'parameters',
  'responses',
  'requestBodies',
  'pathItems',
  'mediaTypes',
  'dependentSchemas',
]);

/** Where an object stands: its steps down from `up`; none for the root. */
export interface Way {
  readonly node: object;
  readonly steps: readonly string[];
  readonly up: Way | undefined;
}

export interface FoundNode {
  readonly node: JsonObject;
  /** The nearest `$id` that it stands in, absolute (JSON Schema 2020-12 §8.2.1). */
  readonly id: string | undefined;
  readonly way: Way;
}

/** Every object of a document but for data, once. */
export function* nodesOf(root: unknown, base: string): Iterable<FoundNode> {
  const seen = new Set<object>();
  const pending: { value: unknown; id?: string | undefined; steps: string[]; up?: Way }[] = [];
  pending.push({ value: root, steps: [] });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, steps } = next;
    if (value === null || typeof value !== 'object' || seen.has(value)) continue;
    seen.add(value);
    const up: Way = { node: value, steps, up: next.up };
    if (!isObject(value)) {
      for (const [at, item] of Object.entries(value))
        pending.push({ value: item, id: next.id, steps: [at], up });
      continue;
    }
    const id = idOf(value, next.id ?? base) ?? next.id;
    yield { node: value, id, way: up };
    for (const key of Object.keys(value)) {
      const child = value[key];
      if (NAME_MAPS.has(key) && isObject(child))
        for (const [name, named] of Object.entries(child))
          pending.push({ value: named, id, steps: [key, name], up });
      else if (typeof child === 'object' && !isData(key))
        pending.push({ value: child, id, steps: [key], up });
    }
  }
}

function idOf({ $id }: JsonObject, base: string): string | undefined {
  const url = typeof $id === 'string' && !$id.startsWith('#') ? URL.parse($id, base) : null;
  if (url === null) return undefined;
  url.hash = '';
  return url.href;
}

function isData(key: string): boolean {
  return DATA.has(key) || (key.startsWith('x-') && !EXTENSIONS.has(key));
}
