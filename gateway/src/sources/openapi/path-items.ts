import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import { escapeToken, isObject, type JsonObject } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

/** One operation and where it stands. */
export interface ListedOperation {
  /** As it goes on the wire. */
  readonly method: string;
  /** The document's own path key. */
  readonly path: string;
  readonly pathItem: Place;
  readonly operation: Place;
}

/** A place that should hold an operation and does not. */
export interface ListedFault {
  readonly method: string;
  readonly path: string;
  readonly reason: string;
}

/** Amazon's API Gateway: an integration for every method that the path item does not describe. */
const ANY_METHOD = 'x-amazon-apigateway-any-method';
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Every operation of `paths` and `x-ms-paths`, in the document's order. */
export function* listOperations(reading: Reading): Iterable<ListedOperation | ListedFault> {
  const { root, log } = reading;
  const paths = isObject(root.paths) ? root.paths : {};
  if (root.paths !== undefined && !isObject(root.paths))
    log.report(
      'paths-invalid',
      'error',
      '`paths` must be an object; nothing in it can be compiled.',
      '#/paths',
    );
  const more = root['x-ms-paths'];
  if ([root.paths, more, root['webhooks']].every((one) => one === undefined))
    log.report(
      'paths-invalid',
      'warning',
      'The document has no `paths` at its top level: nothing in it can be compiled.',
      '#',
    );
  yield* listPaths(reading, paths, '#/paths', new Set());
  if (isObject(more)) yield* listPaths(reading, more, '#/x-ms-paths', new Set(Object.keys(paths)));
}

function* listPaths(
  reading: Reading,
  paths: JsonObject,
  base: string,
  taken: ReadonlySet<string>,
): Iterable<ListedOperation | ListedFault> {
  for (const key of Object.keys(paths)) {
    if (key.startsWith('x-') || taken.has(key)) continue;
    const pointer = `${base}/${escapeToken(key)}`;
    const { path, item } = reading.version.swagger
      ? { path: key, item: paths[key] }
      : placed(key, paths[key]);
    if (!path.startsWith('/')) {
      reading.log.report(
        'path-invalid',
        'warning',
        METHODS.some((method) => method === path)
          ? `${path} stands among the paths: it has to be indented below its own; it is left out.`
          : `The path ${path} does not begin with a slash; it is left out.`,
        pointer,
      );
      continue;
    }
    yield* listMethods(reading, path, item, pointer);
  }
}

const ADDRESS = /^(?<origin>https?:\/\/[^/?#{}]+)(?<path>\/.*)$/i;

/** A path item whose key is a whole address is reached there, as if it named that server. */
function placed(key: string, item: unknown): { path: string; item: unknown } {
  const { origin, path } = ADDRESS.exec(key)?.groups ?? {};
  if (origin === undefined || path === undefined) return { path: key, item };
  return { path, item: isObject(item) ? { ...item, servers: [{ url: origin }] } : item };
}

/** The operations of one path item. */
export function* listMethods(
  reading: Reading,
  path: string,
  declared: unknown,
  at: string,
): Iterable<ListedOperation | ListedFault> {
  if (!isObject(declared)) {
    reading.log.report('path-invalid', 'warning', 'A path item must be an object; it is left out.', at);
    return;
  }
  const target = typeof declared.$ref === 'string' ? reading.references.object(declared, at) : undefined;
  if (typeof declared.$ref === 'string' && target === undefined) {
    reading.log.report(
      'reference-broken',
      'warning',
      `The path item ${declared.$ref} cannot be found; its operations are skipped.`,
      at,
    );
    if (!METHODS.some((method) => isObject(declared[method]))) {
      yield { method: '*', path, reason: `the path item cannot be found: ${declared.$ref}` };
    }
  }
  const pathItem: Place =
    target === undefined
      ? { node: declared, pointer: at }
      : { node: { ...target.node, ...declared }, pointer: target.pointer };
  if (isObject(pathItem.node[ANY_METHOD])) {
    reading.log.report(
      'any-method-unused',
      'warning',
      `${path} takes any method, and the document does not say which ones mean something: none is compiled of ${ANY_METHOD}. For those that do, an overlay describes \`get\`, \`post\` and so on at this path.`,
      `${pathItem.pointer}/${ANY_METHOD}`,
    );
    yield { method: '*', path, reason: `any method that is not described (${ANY_METHOD})` };
  }
  for (const [method, operation, pointer] of methodsOf(reading, pathItem)) {
    const found = locate(reading, operation, pointer);
    if (found === undefined) {
      const reference = isObject(operation) ? (scalarText(operation.$ref) ?? '') : '';
      reading.log.report(
        'operation-invalid',
        'warning',
        `${method} ${path} is no operation that can be read; it is skipped.`,
        pointer,
      );
      if (isObject(operation)) yield { method, path, reason: `the operation cannot be found: ${reference}` };
    } else yield { method, path, pathItem, operation: found };
  }
}

function locate(reading: Reading, operation: unknown, pointer: string): Place | undefined {
  if (!isObject(operation)) return undefined;
  if (typeof operation.$ref !== 'string') return { node: operation, pointer };
  return reading.references.object(operation, pointer);
}

function* methodsOf(reading: Reading, { node, pointer }: Place): Iterable<[string, unknown, string]> {
  for (const method of METHODS) {
    if (node[method] !== undefined && node[method] !== null)
      yield [method.toUpperCase(), node[method], `${pointer}/${method}`];
  }
  if (reading.version.queryMethod && isObject(node.query)) yield ['QUERY', node.query, `${pointer}/query`];
  if (!isObject(node.additionalOperations)) return;
  for (const [method, operation] of Object.entries(node.additionalOperations)) {
    const at = `${pointer}/additionalOperations/${escapeToken(method)}`;
    if (HTTP_TOKEN.test(method)) yield [method, operation, at];
    else
      reading.log.report(
        'method-invalid',
        'warning',
        `${JSON.stringify(method)} is no HTTP method; it is left out.`,
        at,
      );
  }
}
