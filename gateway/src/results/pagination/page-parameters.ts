import { isObject, type JsonObject, type Operation } from '../../operations/index.ts';

/** Arguments of an operation that choose a page, by what they mean. */
export interface PageParameters {
  readonly limit?: PageParameter;
  readonly cursor?: PageParameter;
  readonly page?: PageParameter;
  readonly offset?: PageParameter;
  /** One object with limit and offset in it: `{limit, after, where, sortBy}`. */
  readonly object?: PageParameter;
  /** The id of the last row seen (`starting_after`). */
  readonly lastId?: PageParameter;
}

export interface PageParameter {
  readonly name: string;
  readonly schema: JsonObject;
}

type Role = keyof PageParameters;

/** Compared without case, `$`, `_`, `-` and dots. The likeliest first. */
const NAMES: Readonly<Record<Exclude<Role, 'object'>, readonly string[]>> = {
  limit: [
    'limit',
    'perpage',
    'pagesize',
    'pagelimit',
    'maxresults',
    'maxitems',
    'maxkeys',
    'maxrecords',
    'top',
    'size',
    'take',
    'first',
    'numitems',
    'itemsperpage',
    'paginationpagesize',
    'rows',
    'count',
  ],
  cursor: [
    'cursor',
    'pagetoken',
    'nextpagetoken',
    'nexttoken',
    'nextcursor',
    'pagecursor',
    'continuationtoken',
    'skiptoken',
    'continue',
    'marker',
    'startcursor',
    'scrollid',
    'after',
    'pageafter',
    'exclusivestartkey',
    'startkey',
  ],
  page: ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'paginationpage'],
  offset: ['offset', 'pageoffset', 'skip', 'startat', 'startindex', 'start', 'after', 'from'],
  lastId: ['startingafter'],
};
/** They mean a page only beside another argument that does: `size` may be an image's, `start` a time. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  'size',
  'count',
  'rows',
  'first',
  'take',
  'top',
  'start',
  'from',
]);
/** With one of these, `start` and `from` begin a span. */
const SPAN_ENDS = ['end', 'to', 'until', 'stop', 'before', 'finish', 'endtime', 'enddate'];
const NUMERIC: ReadonlySet<Role> = new Set(['limit', 'page', 'offset']);
const OBJECT_NAMES: readonly string[] = ['pagination', 'paging', 'page', 'pagerequest'];
const MAX_DEPTH = 6;

/** Only query arguments count where the operation says where its arguments go. */
export function pageParameters(operation: Operation): PageParameters {
  const known = new Map<string, PageParameter>();
  for (const [name, schema] of queryArguments(operation)) {
    const key = plain(name);
    if (!known.has(key)) known.set(key, { name, schema });
  }
  const root = operation.input;
  const find = (role: Exclude<Role, 'object'>): PageParameter | undefined => {
    const found = NAMES[role]
      .map((name) => known.get(name))
      .find((one) => one !== undefined && fits(one.schema, role, root));
    return found && { name: found.name, schema: resolved(found.schema, root) };
  };
  const object = OBJECT_NAMES.map((name) => known.get(name)).find(
    (one) => one && isPageObject(one.schema, root),
  );
  const cursor = find('cursor');
  const page = find('page');
  const offset = find('offset');
  const lastId = find('lastId');
  const limit = find('limit');
  const places = [cursor, page, offset, lastId];
  const spans = SPAN_ENDS.some((name) => known.has(name));
  const certainLimit = limit && (!isUncertain(limit) || places.some((one) => one && !isUncertain(one)));
  const certainOffset = offset && (!isUncertain(offset) || (limit !== undefined && !spans));
  return {
    ...defined('limit', certainLimit || (certainOffset && limit) ? limit : undefined),
    ...defined('cursor', cursor),
    ...defined('page', page),
    ...defined('offset', certainOffset ? offset : undefined),
    ...defined('object', object && { name: object.name, schema: resolved(object.schema, root) }),
    ...defined('lastId', lastId),
  };
}

function isUncertain({ name }: PageParameter): boolean {
  return UNCERTAIN.has(plain(name));
}

function* queryArguments({ input, invocation }: Operation): Generator<[string, JsonObject]> {
  const properties = isObject(input['properties']) ? input['properties'] : {};
  const names =
    invocation.kind === 'http'
      ? invocation.bindings.flatMap(({ in: place, arg }) =>
          arg !== undefined && (place === 'query' || place === 'body') ? [arg] : [],
        )
      : Object.keys(properties);
  for (const name of names) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(schema)) yield [name, schema];
  }
}

function fits(schema: JsonObject, role: Role, root: JsonObject): boolean {
  const types = typesOf(resolved(schema, root));
  const numeric = types.includes('integer') || types.includes('number');
  return NUMERIC.has(role) ? numeric : types.includes('string') || types.length === 0;
}

function isPageObject(schema: JsonObject, root: JsonObject): boolean {
  const { properties } = resolved(schema, root);
  return (
    isObject(properties) &&
    isObject(properties['limit']) &&
    ['after', 'offset'].some((name) => isObject(properties[name]))
  );
}

/** The schema itself, without `$ref` and without the alternative null. */
function resolved(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) return schema;
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? definition($ref, root) : undefined;
  if (target !== undefined) return resolved(target, root, depth + 1);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const real = branches.filter((branch) => isObject(branch) && branch['type'] !== 'null') as JsonObject[];
    if (real.length === 1) return resolved(real[0]!, root, depth + 1);
  }
  return schema;
}

function definition(reference: string, root: JsonObject): JsonObject | undefined {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const definitions = root['$defs'];
  if (name === undefined || !isObject(definitions)) return undefined;
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const found = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  return isObject(found) ? found : undefined;
}

function typesOf({ type }: JsonObject): readonly string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one): one is string => typeof one === 'string' && one !== 'null');
}

/** A parameter's name without what spellings differ in. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[$_.-]/g, '');
}

function defined<Name extends string>(
  name: Name,
  value: PageParameter | undefined,
): { [key in Name]?: PageParameter } {
  return (value === undefined ? {} : { [name]: value }) as { [key in Name]?: PageParameter };
}

/** What it is where nobody gives it. */
export function defaultOf(parameter: PageParameter | undefined): number | undefined {
  const value = parameter?.schema['default'];
  return typeof value === 'number' ? value : undefined;
}

export function minimumOf({ schema }: PageParameter): number | undefined {
  return typeof schema['minimum'] === 'number' ? schema['minimum'] : undefined;
}

export function numberAt(args: JsonObject, { name }: PageParameter): number | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
