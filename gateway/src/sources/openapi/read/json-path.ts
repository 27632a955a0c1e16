import { isObject, type Json } from '../../../operations/index.ts';

/** A node and where it hangs; the root hangs nowhere. */
export interface Located {
  readonly value: Json;
  readonly from?: Located;
  readonly key?: string | number;
}

type Segment = { readonly descendant: boolean; readonly selectors: readonly Selector[] };
type Selector = (node: Located) => Iterable<Located>;
type Test = (value: Json) => boolean;

/**
 * A JSONPath query (RFC 9535): child, wildcard, index, slice-free unions, descendants, and filters that compare a
 * relative path with a literal (`==`, `!=`) or ask for its existence, joined by `&&` and `||`.
 * Throws a SyntaxError for anything else.
 */
export function selectNodes(root: Json, query: string): Located[] {
  let nodes: Located[] = [{ value: root }];
  for (const segment of parseQuery(query)) {
    const from = segment.descendant ? nodes.flatMap((node) => [...descendants(node)]) : nodes;
    nodes = from.flatMap((node) => segment.selectors.flatMap((select) => [...select(node)]));
  }
  return nodes;
}

function* children(node: Located): Iterable<Located> {
  const { value } = node;
  if (Array.isArray(value)) for (const [key, item] of value.entries()) yield { value: item, from: node, key };
  else if (isObject(value))
    for (const key of Object.keys(value)) yield { value: value[key]!, from: node, key };
}

function* descendants(node: Located): Iterable<Located> {
  yield node;
  for (const child of children(node)) yield* descendants(child);
}

function member(name: string): Selector {
  return (node) => {
    const { value } = node;
    return isObject(value) && Object.hasOwn(value, name)
      ? [{ value: value[name]!, from: node, key: name }]
      : [];
  };
}

function index(position: number): Selector {
  return (node) => {
    const { value } = node;
    if (!Array.isArray(value)) return [];
    const at = position < 0 ? value.length + position : position;
    return at in value ? [{ value: value[at]!, from: node, key: at }] : [];
  };
}

function filter(test: Test): Selector {
  return (node) => [...children(node)].filter((child) => test(child.value));
}

function parseQuery(query: string): Segment[] {
  const reader = new Reader(query.trim());
  reader.expect('$');
  return parseSegments(reader, true);
}

function parseSegments(reader: Reader, whole: boolean): Segment[] {
  const segments: Segment[] = [];
  while (!reader.done) {
    if (reader.take('..'))
      segments.push({ descendant: true, selectors: reader.peek('[') ? bracket(reader) : [dotted(reader)] });
    else if (reader.take('.')) segments.push({ descendant: false, selectors: [dotted(reader)] });
    else if (reader.peek('[')) segments.push({ descendant: false, selectors: bracket(reader) });
    else if (whole) throw reader.fault();
    else break;
  }
  return segments;
}

function dotted(reader: Reader): Selector {
  if (reader.take('*')) return children;
  return member(reader.match(/[A-Za-z_\u0080-\u{10ffff}][\w\-\u0080-\u{10ffff}]*/uy));
}

function bracket(reader: Reader): Selector[] {
  reader.expect('[');
  const selectors: Selector[] = [];
  do {
    reader.space();
    if (reader.take('*')) selectors.push(children);
    else if (reader.take('?')) selectors.push(filter(alternatives(reader)));
    else if (reader.peek("'") || reader.peek('"')) selectors.push(member(reader.quoted()));
    else selectors.push(index(Number(reader.match(/-?\d+/y))));
    reader.space();
  } while (reader.take(','));
  reader.expect(']');
  return selectors;
}

function alternatives(reader: Reader): Test {
  const tests = [conjunction(reader)];
  while (reader.takeSpaced('||')) tests.push(conjunction(reader));
  return (value) => tests.some((test) => test(value));
}

function conjunction(reader: Reader): Test {
  const tests = [comparison(reader)];
  while (reader.takeSpaced('&&')) tests.push(comparison(reader));
  return (value) => tests.every((test) => test(value));
}

function comparison(reader: Reader): Test {
  reader.space();
  if (reader.take('!')) {
    const test = comparison(reader);
    return (value) => !test(value);
  }
  if (reader.take('(')) {
    const test = alternatives(reader);
    reader.space();
    reader.expect(')');
    return test;
  }
  reader.expect('@');
  const segments = parseSegments(reader, false);
  const values = (value: Json): Json[] => {
    let nodes: Located[] = [{ value }];
    for (const { selectors } of segments)
      nodes = nodes.flatMap((node) => selectors.flatMap((s) => [...s(node)]));
    return nodes.map((node) => node.value);
  };
  const equal = reader.takeSpaced('==');
  if (!equal && !reader.takeSpaced('!=')) return (value) => values(value).length > 0;
  reader.space();
  const literal = reader.literal();
  return (value) => values(value).includes(literal) === equal;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  peek(token: string): boolean {
    return this.#text.startsWith(token, this.#at);
  }

  take(token: string): boolean {
    if (!this.peek(token)) return false;
    this.#at += token.length;
    return true;
  }

  takeSpaced(token: string): boolean {
    this.space();
    return this.take(token);
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fault();
  }

  space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  match(sticky: RegExp): string {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found === undefined) throw this.fault();
    this.#at += found.length;
    return found;
  }

  quoted(): string {
    const raw = this.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y);
    const body = raw.slice(1, -1);
    if (raw.startsWith('"')) return JSON.parse(raw) as string;
    return JSON.parse(`"${body.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`) as string;
  }

  literal(): Json {
    if (this.peek("'") || this.peek('"')) return this.quoted();
    return JSON.parse(this.match(/true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y)) as Json;
  }

  fault(): SyntaxError {
    return new SyntaxError(
      `unexpected ${this.done ? 'end' : `"${this.#text.slice(this.#at, this.#at + 12)}"`} at ${this.#at}`,
    );
  }
}
