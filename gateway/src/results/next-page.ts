import {
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type ParameterBinding,
} from '../operations/index.ts';

const MAX_LINKS = 50;
const NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i;

/**
 * The arguments that lead to the page which the `Link` header calls next (RFC 8288 §3.3); undefined without one.
 * Only a link to the very resource that was asked for counts, and only what is an argument of the operation: an
 * address may hold a credential as well.
 */
export function nextPage(
  link: string | undefined,
  url: string,
  operation: Operation,
): JsonObject | undefined {
  const target = link === undefined ? undefined : nextTarget(link);
  const asked = URL.parse(url);
  const next = target === undefined ? null : URL.parse(target, url);
  if (next === null || asked === null || next.origin !== asked.origin || next.pathname !== asked.pathname)
    return undefined;
  const args: Record<string, Json> = {};
  for (const [name, binding] of queryArguments(operation)) {
    const values = next.searchParams.getAll(name);
    if (values.length > 0) args[binding.arg] = typed(values, schemaOf(operation, binding.arg));
  }
  return Object.keys(args).length === 0 ? undefined : args;
}

/** Query text in the type that the argument's schema asks for. */
function typed(values: readonly string[], schema: JsonObject): Json {
  const { type, items } = schema;
  if (type === 'array') {
    const item = isObject(items) ? items : {};
    const texts = values.length === 1 ? values[0]!.split(',') : values;
    return texts.map((text) => typed([text], item));
  }
  const [text = ''] = values;
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return values.length === 1 ? text : [...values];
}

function schemaOf({ input }: Operation, argument: string): JsonObject {
  const properties = isObject(input.properties) ? input.properties : {};
  const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
  return isObject(schema) ? schema : {};
}

/** For the model: what to call again with. */
export function nextPageNote(args: JsonObject): string {
  return `There is a next page: call again with only ${JSON.stringify(args)} in the query.`;
}

function nextTarget(link: string): string | undefined {
  const links = [...link.matchAll(/<([^>]*)>([^<]*)/g)].slice(0, MAX_LINKS);
  return links.find(([, , parameters]) => NEXT.test(parameters!))?.[1];
}

type QueryArgument = ParameterBinding & { readonly arg: string };

function* queryArguments({ invocation }: Operation): Generator<[string, QueryArgument]> {
  if (invocation.kind !== 'http') return;
  for (const binding of invocation.bindings) {
    if (binding.in === 'query' && binding.arg !== undefined) yield [binding.name, binding as QueryArgument];
  }
}
