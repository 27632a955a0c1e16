import { ToolcribError } from '../../errors.ts';

/** A value of a JSON text with comments, with its place in the text. */
export interface JsoncNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Present for objects. */
  readonly members?: readonly JsoncMember[];
}

export interface JsoncMember {
  readonly key: string;
  readonly keyStart: number;
  readonly node: JsoncNode;
  /** Offset of the comma that follows. */
  readonly comma?: number;
}

/** Parses JSON with `//` and block comments and trailing commas, as VS Code and Cursor write it. */
export function parseJsonc(text: string, file: string): JsoncNode {
  const parser = new JsoncParser(text, file);
  return parser.document();
}

class JsoncParser {
  readonly #text: string;
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  document(): JsoncNode {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    this.#skip();
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('something follows the value');
    return node;
  }

  #value(depth: number): JsoncNode {
    if (depth > 200) this.#fail('the nesting is too deep');
    const start = this.#at;
    const first = this.#text[start];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    const [literal] =
      first === '"'
        ? [this.#string()]
        : (/[-+.\w]+/y.exec(this.#sliceFrom(start)) ?? this.#fail('a value is missing'));
    const raw = first === '"' ? this.#text.slice(start, this.#at) : literal;
    if (first !== '"') this.#at = start + raw.length;
    return { start, end: this.#at, value: this.#literal(raw) };
  }

  #sliceFrom(start: number): string {
    return this.#text.slice(start, start + 64);
  }

  #object(depth: number): JsoncNode {
    const start = this.#at;
    const members: JsoncMember[] = [];
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== '}'; this.#skip()) {
      const keyStart = this.#at;
      if (this.#text[keyStart] !== '"') this.#fail('a key is missing');
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') this.#fail('a colon is missing');
      this.#at += 1;
      this.#skip();
      const node = this.#value(depth + 1);
      const comma = this.#comma('}');
      members.push({ key, keyStart, node, ...(comma === undefined ? {} : { comma }) });
    }
    this.#at += 1;
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    return { start, end: this.#at, value, members };
  }

  #array(depth: number): JsoncNode {
    const start = this.#at;
    const items: unknown[] = [];
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== ']'; this.#skip()) {
      items.push(this.#value(depth + 1).value);
      this.#comma(']');
    }
    this.#at += 1;
    return { start, end: this.#at, value: items };
  }

  /** Offset of the comma after a member; undefined before the closing bracket. */
  #comma(close: string): number | undefined {
    this.#skip();
    const at = this.#at;
    if (this.#text[at] === ',') {
      this.#at += 1;
      return at;
    }
    if (this.#text[at] !== close) this.#fail('a comma is missing');
    return undefined;
  }

  #string(): string {
    const match = /"(?:[^"\\]|\\.)*"/sy;
    match.lastIndex = this.#at;
    const [raw] = match.exec(this.#text) ?? this.#fail('a string does not end');
    const value = this.#literal(raw);
    this.#at += raw.length;
    return String(value);
  }

  #literal(raw: string): unknown {
    try {
      return JSON.parse(raw);
    } catch {
      // a word that was meant for a literal is told; anything else may be a key
      return this.#fail(/^[A-Z]?[a-z]{1,8}$/.test(raw) ? `${raw} is no JSON value` : 'a value is no JSON');
    }
  }

  #skip(): void {
    const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)![0].length;
  }

  #fail(what: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new ToolcribError('file_conflict', `The file is no valid JSON: ${what}.`, {
      location: `${this.#file}:${line}`,
    });
  }
}
