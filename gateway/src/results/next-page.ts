import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject, Operation } from '../operations/index.ts';
import { propertySchema } from '../operations/invocation/argument-schema.ts';
import { linkedPairs, linkedValue, queryArguments, schemaInQuery } from './linked-value.ts';
import { pageParameters } from './pagination/page-parameters.ts';

const MAX_LINKS = 50;
/** The relations of a link: a list in quotes, or one word (RFC 8288 §3.3). */
const RELATIONS = /;\s*rel\s*=\s*(?:"([^"]*)"|([a-z]+))/gi;

/**
 * The arguments that lead to the page which the `Link` header calls next (RFC 8288 §3.3); undefined without one.
 * Only a link to the very resource that was asked for counts, and only what is an argument of the operation: an
 * address may hold a credential as well. Undefined where these lead to the page that was asked for.
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
  const args = argumentsOf(next, operation);
  return leadsAway(args, argumentsOf(asked, operation), operation) ? args : undefined;
}

/** What a query says of the arguments of the operation, and of nothing else. */
function argumentsOf({ search }: URL, operation: Operation): JsonObject {
  const args: Record<string, Json> = {};
  const pairs = linkedPairs(search.slice(1));
  for (const binding of queryArguments(operation)) {
    const value = linkedValue(
      binding,
      pairs,
      schemaInQuery(propertySchema(operation.input, binding.arg), operation.input),
    );
    if (value !== undefined) args[binding.arg] = value;
  }
  return args;
}

/** Not where all but the size of the page is as it was asked for: what chooses the page is no argument then. */
function leadsAway(args: JsonObject, asked: JsonObject, operation: Operation): boolean {
  const size = pageParameters(operation).limit?.name;
  return Object.keys(args).some((name) => name !== size && !isDeepStrictEqual(args[name], asked[name]));
}

/** For the model: what to call again with. A link is the whole query; a header chooses the page only. */
export function nextPageNote(args: JsonObject, by: 'link' | 'header'): string {
  const wanted = JSON.stringify(args);
  return by === 'link'
    ? `There is a next page: call again with only ${wanted} in the query.`
    : `There is a next page: call again with the same arguments and ${wanted}.`;
}

/** Whether a `Link` header names a next page, wherever that is. */
export function linksNext(link: string | undefined): boolean {
  return link !== undefined && nextTarget(link) !== undefined;
}

function nextTarget(link: string): string | undefined {
  const links = [...link.matchAll(/<([^<>]*)>([^<]*)/g)].slice(0, MAX_LINKS);
  return links.find(([, , parameters]) => leadsOn(parameters!))?.[1];
}

function leadsOn(parameters: string): boolean {
  const relations = [...parameters.matchAll(RELATIONS)].map(([, several, one]) => several ?? one ?? '');
  return relations.some((words) => words.toLowerCase().split(/\s+/).includes('next'));
}
