import { type AzureInvocation, isObject, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import type { CompiledInput } from './compiled-input.ts';

const LIMIT = /^\$?(?:top|max_?page_?size|page_?size|limit|max_?results)$/i;

/** `x-ms-pageable`; undefined where no next page can be told. */
export function pageableOf(
  node: JsonObject,
  input: CompiledInput,
  output: JsonSchema | undefined,
): AzureInvocation['pageable'] {
  const said = node['x-ms-pageable'];
  if (!isObject(said) || typeof said.nextLinkName !== 'string' || said.nextLinkName === '') return undefined;
  const rows = typeof said.itemName === 'string' && said.itemName !== '' ? said.itemName : onlyList(output);
  const limit = input.bindings.find(
    (one) => one.in === 'query' && LIMIT.test(one.name) && one.arg !== undefined,
  );
  return {
    nextLink: said.nextLinkName,
    ...(rows === undefined || rows === 'value' ? {} : { rows }),
    ...(limit?.arg === undefined ? {} : { limit: limit.arg }),
  };
}

/** The member that holds the rows where it is not called `value`: the only list of the answer. */
function onlyList(output: JsonSchema | undefined): string | undefined {
  const properties = isObject(output?.properties) ? output.properties : {};
  if (Object.hasOwn(properties, 'value')) return 'value';
  const lists = Object.keys(properties).filter((name) => isList(properties[name], output?.$defs));
  return lists.length === 1 ? lists[0] : undefined;
}

function isList(schema: unknown, definitions: unknown): boolean {
  if (!isObject(schema)) return false;
  const reference = typeof schema.$ref === 'string' ? schema.$ref.replace(/^#\/\$defs\//, '') : undefined;
  const target = reference === undefined || !isObject(definitions) ? schema : definitions[reference];
  if (!isObject(target)) return false;
  return target.type === 'array' || (Array.isArray(target.type) && target.type.includes('array'));
}
