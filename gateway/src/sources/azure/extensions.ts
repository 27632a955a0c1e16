import { isObject, type JsonObject } from '../../operations/index.ts';

/** An extension and the spelling of its members: the older one with hyphens, the newer one in camel case. */
export interface ChoiceExtension {
  readonly kind: 'values' | 'list' | 'tree';
  readonly node: JsonObject;
}

/** How the values of a parameter are listed: a tree, else `x-ms-dynamic-list`, else `x-ms-dynamic-values`. */
export function choiceOf(node: JsonObject): ChoiceExtension | undefined {
  const tree = node['x-ms-dynamic-tree'];
  if (isObject(tree)) return { kind: 'tree', node: tree };
  const list = node['x-ms-dynamic-list'];
  if (isObject(list)) return { kind: 'list', node: list };
  const values = node['x-ms-dynamic-values'];
  return isObject(values) ? { kind: 'values', node: values } : undefined;
}

/** How the schema of a value is told at run time: `x-ms-dynamic-properties`, else `x-ms-dynamic-schema`. */
export function shapeOf(node: JsonObject): JsonObject | undefined {
  const said = node['x-ms-dynamic-properties'] ?? node['x-ms-dynamic-schema'];
  return isObject(said) ? said : undefined;
}

export function isDynamic(node: JsonObject): boolean {
  return shapeOf(node) !== undefined;
}

/** The operations that an extension asks: one, for a tree up to two. */
export function helpersOf(extension: JsonObject): readonly JsonObject[] {
  const { open, browse } = extension;
  if (isObject(open)) return isObject(browse) ? [open, browse] : [open];
  return [extension];
}
