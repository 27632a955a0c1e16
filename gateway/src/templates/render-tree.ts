import type { Json } from '../operations/index.ts';
import { wholeReference } from './parse.ts';
import { checked, lookUp, missing, renderText, type TemplatePath, type TemplateValues } from './values.ts';

/**
 * A value with the templates at its leaves filled in. A text that is one reference and nothing else becomes that value
 * with its type, null too; within other text values become text, objects and lists JSON. Names of members stay.
 *
 * @param path where the tree stands, for messages
 * @throws `template_value_missing`, naming the argument and the place
 */
export function renderTree(tree: Json, values: TemplateValues, path: TemplatePath = []): Json {
  if (typeof tree === 'string') return leaf(tree, values, path);
  if (Array.isArray(tree)) return tree.map((item, index) => renderTree(item, values, [...path, index]));
  if (tree === null || typeof tree !== 'object') return tree;
  // entries become own members whatever they are called
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, renderTree(value, values, [...path, key])]),
  );
}

function leaf(text: string, values: TemplateValues, path: TemplatePath): Json {
  const whole = wholeReference(checked(text));
  if (whole === undefined) return renderText(text, values, undefined, path);
  const value = lookUp(whole, values);
  if (value === undefined) throw missing(whole, path);
  return value;
}
