import { escapeToken, isObject, type JsonObject } from '../../../operations/index.ts';
import { mediaKindOf } from '../media-types.ts';
import type { ListedOperation } from '../path-items.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';

/**
 * Names a PATCH whose body is the schema of the POST or PUT beside it, as Directus writes all of them: what creating
 * requires, changing then does, and whoever changes one member has to send the others again.
 */
export function reportWholePatch(reading: Reading, listed: ListedOperation): void {
  const { method, path, operation } = listed;
  if (method.toUpperCase() !== 'PATCH') return;
  const own = objectsOf(reading, operation);
  if (own.length === 0) return;
  const whole = new Set(wholeOperations(reading, listed).flatMap((place) => objectsOf(reading, place)));
  const shared = own.find((schema) => whole.has(schema));
  if (shared === undefined) return;
  const names = (shared.required as readonly unknown[]).filter((name) => typeof name === 'string');
  const message = `PATCH ${path} requires what creating does (${names.join(', ')}), in the same schema: callers have to send these again. Where the service takes what changes alone, an overlay gives it a schema without \`required\`.`;
  reading.log.report('patch-whole', 'info', message, operation.pointer);
}

/** PUT and POST beside it, and the POST of the collection that its path ends in. */
function wholeOperations({ references, root }: Reading, { path, pathItem }: ListedOperation): Place[] {
  const collection = path.replace(/\/\{[^/{}]*\}(\/?)$/, '$1');
  const paths = isObject(root.paths) ? root.paths : {};
  const at = `#/paths/${escapeToken(collection)}`;
  const above =
    collection !== path && Object.hasOwn(paths, collection)
      ? references.object(paths[collection], at)
      : undefined;
  const found = [
    { node: pathItem.node.put, pointer: `${pathItem.pointer}/put` },
    { node: pathItem.node.post, pointer: `${pathItem.pointer}/post` },
    ...(above === undefined ? [] : [{ node: above.node.post, pointer: `${above.pointer}/post` }]),
  ];
  return found.flatMap(({ node, pointer }) => (isObject(node) ? [{ node, pointer }] : []));
}

/** The objects with required members that a JSON body may be, alone, as one of a choice or in a list. */
function objectsOf(reading: Reading, operation: Place): JsonObject[] {
  return bodySchemas(reading, operation).flatMap(({ node, pointer }) => {
    const choices = [node.oneOf, node.anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
    const parts = choices.length === 0 ? [node] : choices;
    return parts.flatMap((part) => {
      const found = reading.references.object(part, pointer);
      const items = found?.node.items;
      const one = items === undefined ? found?.node : reading.references.object(items, found!.pointer)?.node;
      return one !== undefined && Array.isArray(one.required) && one.required.length > 0 ? [one] : [];
    });
  });
}

function bodySchemas({ references }: Reading, { node, pointer }: Place): Place[] {
  const body = references.object(node.requestBody, `${pointer}/requestBody`);
  const content = isObject(body?.node.content) ? body.node.content : {};
  const written = Object.entries(content).flatMap(([type, media]) =>
    mediaKindOf(type) === 'json' && !/json-patch/i.test(type) && isObject(media) ? [media.schema] : [],
  );
  const parameters = Array.isArray(node.parameters) ? node.parameters : [];
  const given = parameters.flatMap((one) => (isObject(one) && one.in === 'body' ? [one.schema] : []));
  return [...written, ...given].flatMap(
    (schema) => references.object(schema, body?.pointer ?? pointer) ?? [],
  );
}
