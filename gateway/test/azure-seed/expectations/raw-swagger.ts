// A reading of Swagger 2.0 of its own, so that what the gateway reads is compared with something that shares no code.

export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };
export type Node = { readonly [name: string]: Value };

/** One operation as the document has it. */
export interface RawOperation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** As the document writes it. */
  readonly path: string;
  readonly node: Node;
  /** References followed; an operation's own replace those of its path; no `connectionId`. */
  readonly parameters: readonly Node[];
  /** Types of its bodies: the hidden Content-Type header's default, else `consumes`; empty: nothing is said. */
  readonly consumes: readonly string[];
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});
export const itemsOf = (value: unknown): readonly Value[] => (Array.isArray(value) ? (value as Value[]) : []);
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a node says after its `$ref`s inside the document. */
export function follow(document: Node, node: unknown): Node {
  let at = nodeOf(node);
  for (let step = 0; typeof at.$ref === 'string' && step < 40; step++) {
    const names = at.$ref.slice(2).split('/');
    let target: Value = document;
    for (const name of names)
      target = nodeOf(target)[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')] ?? null;
    at = nodeOf(target);
  }
  return at;
}

export function rawOperations(document: Node): RawOperation[] {
  const found: RawOperation[] = [];
  for (const [path, item] of Object.entries(nodeOf(document.paths))) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const node = nodeOf(item)[method];
      if (!isNode(node)) continue;
      const parameters = new Map<string, Node>();
      for (const one of [...itemsOf(nodeOf(item).parameters), ...itemsOf(node.parameters)]) {
        const parameter = follow(document, one);
        const place = wordOf(parameter.in);
        const key = place === 'body' ? 'body' : `${place} ${wordOf(parameter.name)}`;
        parameters.set(key, parameter);
      }
      parameters.delete('path connectionId');
      const header = [...parameters.values()].find(
        (one) => one.in === 'header' && /^content-type$/i.test(wordOf(one.name)),
      );
      const stated =
        header !== undefined && isInternal(header) && typeof header.default === 'string'
          ? [header.default]
          : undefined;
      found.push({
        id: wordOf(node.operationId),
        method: method.toUpperCase(),
        path,
        node,
        parameters: [...parameters.values()],
        consumes: stated ?? itemsOf(node.consumes ?? document.consumes).map(wordOf),
      });
    }
  }
  return found;
}

/** An object's own members and those of its `allOf`; `required` is their union. */
export function merged(document: Node, schema: unknown): Node {
  const own = follow(document, schema);
  let properties: Node = {};
  let required: readonly Value[] = [];
  let rest: Node = {};
  for (const part of [own, ...itemsOf(own.allOf).map((one) => merged(document, one))]) {
    properties = { ...properties, ...nodeOf(part.properties) };
    required = [...new Set([...required, ...itemsOf(part.required)])];
    rest = { ...part, ...rest };
  }
  const { allOf: _allOf, ...kept } = rest;
  return {
    ...kept,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function kindOf({ type, properties, items }: Node): string {
  const word = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (typeof word === 'string') return word;
  return isNode(properties) ? 'object' : items === undefined ? 'any' : 'array';
}

export const isInternal = (node: Node): boolean =>
  (node['x-ms-visibility'] ?? node['x-ms-visibilty']) === 'internal';

/** Bytes: `type: file`, or text of the format `binary`. */
export const isBytes = (node: Node): boolean =>
  node.type === 'file' || (node.format === 'binary' && (node.type ?? 'string') === 'string');

/** `enum`, else the values of `x-ms-enum-values`; empty: any value. */
export function choicesOf(node: Node): readonly Value[] {
  const plain = itemsOf(node.enum);
  if (plain.length > 0) return plain;
  return itemsOf(node['x-ms-enum-values']).flatMap((one) => nodeOf(one).value ?? []);
}
