import { isObject, type JsonObject, parsePointer, valueAt } from '../operations/index.ts';
import { IN_PLACE, subschemasOf } from './schema-keywords.ts';
import { decodeFragment, SchemaRefused } from './schema-survey.ts';

/**
 * Checks that every reference leads to a schema of this document, that no chain of references and in-place
 * applicators returns to where it began (it would never end), and that not too many schemas apply to one value.
 * Gives the schema back. Throws SchemaRefused.
 */
export function checkReferences(root: JsonObject, maxAlternatives: number): JsonObject {
  const schemas = collectSchemas(root);
  const targets = new Map<JsonObject, JsonObject>();
  for (const schema of schemas) {
    const target = targetOf(schema, root, schemas);
    if (target !== undefined) targets.set(schema, target);
  }
  countAlternatives(schemas, targets, maxAlternatives);
  return root;
}

function collectSchemas(root: JsonObject): Set<JsonObject> {
  const found = new Set([root]);
  // A Set is walked in the order of insertion, new members included.
  for (const schema of found) for (const [, child] of subschemasOf(schema)) found.add(child);
  return found;
}

function targetOf(
  schema: JsonObject,
  root: JsonObject,
  schemas: ReadonlySet<JsonObject>,
): JsonObject | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return undefined;
  const tokens = parsePointer(decodeFragment(reference.slice(1)) ?? '?');
  const target = tokens === undefined ? undefined : valueAt(root, tokens);
  if (typeof target === 'boolean') return undefined;
  if (isObject(target) && schemas.has(target)) return target;
  throw new SchemaRefused(
    '#',
    `the reference ${JSON.stringify(reference.slice(0, 200))} does not lead to a schema`,
  );
}

/** Depth-first with an explicit stack; the schemas that are open are the path to the current one. */
function countAlternatives(
  schemas: ReadonlySet<JsonObject>,
  targets: ReadonlyMap<JsonObject, JsonObject>,
  limit: number,
): void {
  const counts = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  const stack: Array<{ schema: JsonObject; children?: JsonObject[] }> = [...schemas].map((schema) => ({
    schema,
  }));
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { schema, children } = step;
    if (children !== undefined) {
      const count = children.reduce((sum, child) => sum + counts.get(child)!, 1);
      if (count > limit)
        throw new SchemaRefused(
          '#',
          `more than ${limit} schemas would apply to one value (combined alternatives)`,
        );
      counts.set(schema, count);
      open.delete(schema);
    } else if (open.has(schema)) {
      throw new SchemaRefused('#', 'its references form a loop that consumes no data');
    } else if (!counts.has(schema)) {
      open.add(schema);
      const found = inPlaceOf(schema, targets);
      stack.push({ schema, children: found });
      for (const child of found) if (!counts.has(child)) stack.push({ schema: child });
    }
  }
}

function inPlaceOf(schema: JsonObject, targets: ReadonlyMap<JsonObject, JsonObject>): JsonObject[] {
  const found: JsonObject[] = [];
  const target = targets.get(schema);
  if (target !== undefined) found.push(target);
  for (const [keyword, child] of subschemasOf(schema)) if (IN_PLACE.includes(keyword)) found.push(child);
  return found;
}
