import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  valueAt,
  withValueAt,
} from './json.ts';
import { sampleAnswer } from './sample-answer.ts';
import { type ConnectorOperation, type SwaggerDocument, schemaView } from './swagger.ts';

/** How one parameter reads the answer of a helper operation. Paths are member names joined by `/`. */
export interface HelperUse {
  readonly helper: string;
  /** Trees hold their rows at several levels: their values are not checked. */
  readonly kind: 'list' | 'tree' | 'schema';
  readonly items: string;
  readonly value: string;
  readonly title: string;
}

const ROWS = ['one', 'two', 'three'];

/** The schema that a helper of a dynamic body tells where nobody scripted another. */
export const DYNAMIC_SCHEMA: JsonObject = {
  type: 'object',
  required: ['subject'],
  properties: {
    subject: { type: 'string', 'x-ms-summary': 'Subject' },
    amount: { type: 'integer', 'x-ms-summary': 'Amount' },
  },
};

/** How a parameter, property or schema reads its values; the newer forms are preferred. */
export function helperUse(node: JsonObject): HelperUse | undefined {
  const list = node['x-ms-dynamic-list'];
  if (isObject(list)) return useOf(list, 'list', 'itemsPath', 'itemValuePath', 'itemTitlePath');
  const tree = objectOf(node['x-ms-dynamic-tree']).open;
  if (isObject(tree)) return useOf(tree, 'tree', 'itemsPath', 'itemValuePath', 'itemTitlePath');
  const values = node['x-ms-dynamic-values'];
  if (isObject(values)) return useOf(values, 'list', 'value-collection', 'value-path', 'value-title');
  const properties = node['x-ms-dynamic-properties'];
  if (isObject(properties)) return useOf(properties, 'schema', '', 'itemValuePath', '');
  const schema = node['x-ms-dynamic-schema'];
  return isObject(schema) ? useOf(schema, 'schema', '', 'value-path', '') : undefined;
}

function useOf(
  node: JsonObject,
  kind: HelperUse['kind'],
  items: string,
  value: string,
  title: string,
): HelperUse | undefined {
  const helper = textOf(node.operationId);
  if (helper === '') return undefined;
  return { helper, kind, items: textOf(node[items]), value: textOf(node[value]), title: textOf(node[title]) };
}

/** Every use of a helper anywhere in a document, by the helper's operationId. */
export function helperUses(document: SwaggerDocument): ReadonlyMap<string, readonly HelperUse[]> {
  const uses = new Map<string, HelperUse[]>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (!isObject(node)) return;
    const use = helperUse(node);
    if (use !== undefined) uses.set(use.helper, [...(uses.get(use.helper) ?? []), use]);
    const browse = objectOf(node['x-ms-dynamic-tree']).browse;
    const opened = isObject(browse)
      ? useOf(browse, 'tree', 'itemsPath', 'itemValuePath', 'itemTitlePath')
      : undefined;
    if (opened !== undefined) uses.set(opened.helper, [...(uses.get(opened.helper) ?? []), opened]);
    for (const value of Object.values(node)) visit(value);
  };
  visit(document);
  return uses;
}

/** A helper's own answer: what its response says, with three rows, or a schema, where its users look for them. */
export function helperAnswer(
  document: SwaggerDocument,
  operation: ConnectorOperation,
  uses: readonly HelperUse[],
): Json {
  let answer: Json = sampleAnswer(document, operation).body ?? {};
  for (const use of uses) {
    if (use.kind === 'schema') {
      answer = withValueAt(answer, use.value, DYNAMIC_SCHEMA);
      continue;
    }
    const items = valueAt(answer, use.items);
    const known = listOf(items);
    const rows = ROWS.map((word, index) => row(known[index] ?? known[0], use, word, index));
    answer = withValueAt(answer, use.items, rows);
  }
  return answer;
}

function row(sample: Json | undefined, use: HelperUse, word: string, index: number): Json {
  const before = valueAt(sample, use.value);
  const value =
    typeof before === 'number'
      ? index + 1
      : typeof before === 'boolean'
        ? index > 0
        : `${use.helper}-${word}`;
  if (use.value === '') return value;
  const valued = withValueAt(sample, use.value, value);
  return use.title === '' || use.title === use.value
    ? valued
    : withValueAt(valued, use.title, `Title ${word}`);
}

/** The values that a helper's answer lists; undefined: it is no list. */
export function listedValues(answer: Json | undefined, use: HelperUse): readonly Json[] | undefined {
  const items = valueAt(answer, use.items);
  if (use.kind !== 'list' || !Array.isArray(items)) return undefined;
  return listOf(items).flatMap((item) => valueAt(item, use.value) ?? []);
}

/** Values of a JSON body that have a helper, with how they read it; members of members too. */
export function usesInBody(
  document: SwaggerDocument,
  schema: unknown,
  value: Json | undefined,
): { readonly use: HelperUse; readonly value: Json }[] {
  if (value === undefined || value === null) return [];
  const view = schemaView(document, schema);
  const own = helperUse(view);
  const here = own === undefined ? [] : [{ use: own, value }];
  if (Array.isArray(value))
    return [...here, ...listOf(value).flatMap((item) => usesInBody(document, view.items, item))];
  if (!isObject(value)) return here;
  const properties = objectOf(view.properties);
  return [
    ...here,
    ...Object.keys(value).flatMap((name) => usesInBody(document, properties[name], value[name])),
  ];
}
