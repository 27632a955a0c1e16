import { type CompiledSource, type CompiledTool, compiledOperation } from '../compiler/compiled-source.ts';
import { isObject, type JsonObject, type JsonSchema, type Operation } from '../operations/index.ts';
import { once } from '../operations/work/once.ts';

/** Increase when the layout changes: older encodings are then compiled again. */
export const CODEC_VERSION = 9;

/** A compiled source as bytes: what every listing needs, and apart from it what only a call needs. */
export interface EncodedSource {
  /** A line of JSON (everything that listing decides by), then the tools as JSON texts with commas between, addressed like details. */
  readonly index: Uint8Array;
  /** Concatenated JSON values, addressed by [offset, length] in bytes; last the directory that addresses them. */
  readonly details: Uint8Array;
}

/** Reads a span of the details, from memory or from a file. */
export interface Details {
  readonly length: number;
  read(offset: number, length: number): string;
}

type Span = readonly [offset: number, length: number];

interface EncodedIndex extends Omit<CompiledSource, 'tools'> {
  readonly version: number;
  readonly tools: readonly EncodedTool[];
}

/** Where everything in the details stands. */
interface Directory {
  /** In the order of the tools. */
  readonly operations: readonly Span[];
  /** Output schemas that tools share, once each. */
  readonly outputs: readonly Span[];
  /** Schemas that output schemas share, once each. */
  readonly definitions: readonly Span[];
}

/** The last bytes of the details: the length of the directory before them, in decimal digits. */
const TRAILER_BYTES = 12;

/** What a writer begins with. */
const FIRST_BYTES = 64 * 1024;
/** In UTF-8, of one unit of a string. */
const MAX_BYTES_PER_UNIT = 3;

interface EncodedTool {
  readonly name: string;
  readonly facts: CompiledTool['facts'];
  /** The tool's JSON text, in the index behind the first line. */
  readonly text: Span;
}

interface EncodedOperation {
  readonly operation: Omit<Operation, 'input' | 'description' | 'output'>;
  /** Index into `outputs`. */
  readonly output?: number;
}

interface EncodedOutput {
  readonly schema: JsonSchema;
  /** Names of its `$defs` → index into `definitions`. */
  readonly definitions?: Readonly<Record<string, number>>;
}

export function encodeCompiled(source: CompiledSource): EncodedSource {
  return { index: encodeIndex(source), details: encodeDetails(source) };
}

/** What every listing needs. */
export function encodeIndex(source: CompiledSource): Uint8Array {
  const texts = new SpanWriter();
  const tools = source.tools.map(
    ({ name, facts, json }): EncodedTool => ({ name, facts, text: texts.writeText(json(), ',') }),
  );
  const index: EncodedIndex = { ...source, version: CODEC_VERSION, tools };
  return texts.bytes(new TextEncoder().encode(`${JSON.stringify(index)}\n`));
}

/** What only a call needs. */
export function encodeDetails(source: CompiledSource): Uint8Array {
  const details = new SpanWriter();
  const definition = numbered((schema) => details.write(schema));
  const output = numbered((schema) => details.write(splitOutput(schema, definition.number)));
  const operations = source.tools.map(({ operation }): Span => {
    const { input: _input, description: _description, output: schema, ...rest } = operation();
    const encoded: EncodedOperation =
      schema === undefined ? { operation: rest } : { operation: rest, output: output.number(schema) };
    return details.write(encoded);
  });
  const directory: Directory = { operations, outputs: output.spans, definitions: definition.spans };
  const [, length] = details.write(directory);
  details.writeText(String(length).padStart(TRAILER_BYTES));
  return details.bytes();
}

/** Undefined: another codec version. Details are read when an operation is first asked for. */
export function decodeCompiled(index: Uint8Array, details: Details): CompiledSource | undefined {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const head = bytes.indexOf('\n');
  const { version, tools, ...source } = JSON.parse(bytes.toString('utf8', 0, head)) as EncodedIndex;
  if (version !== CODEC_VERSION) return undefined;
  const read = (span: Span) => JSON.parse(details.read(...span));
  const directory = once(() => read(directorySpan(details)) as Directory);
  const definition = memoised((number: number) => read(directory().definitions[number]!) as JsonObject);
  const output = memoised((number: number) =>
    joinOutput(read(directory().outputs[number]!) as EncodedOutput, definition),
  );
  return {
    ...source,
    tools: tools.map(({ name, facts, text: [offset, length] }, number): CompiledTool => {
      const from = head + 1 + offset;
      const json = () => bytes.toString('utf8', from, from + length);
      const tool = once(() => JSON.parse(json()) as CompiledTool['tool']);
      const operation = once((): Operation => {
        const { operation: rest, output: at } = read(directory().operations[number]!) as EncodedOperation;
        const decoded = compiledOperation(rest, tool());
        return at === undefined ? decoded : withOutput(decoded, () => output(at));
      });
      return {
        name,
        facts,
        json,
        bytes: () => bytes.subarray(from, from + length),
        operation,
        get tool() {
          return tool();
        },
      };
    }),
  };
}

/** Its output schema is joined when it is first asked for: descriptions and searches never do. */
function withOutput(operation: Operation, join: () => JsonSchema): Operation {
  const get = once(join);
  return Object.defineProperty(operation, 'output', { get, enumerable: true, configurable: true });
}

function directorySpan({ length, read }: Details): Span {
  const end = length - TRAILER_BYTES;
  const size = Number(read(end, TRAILER_BYTES));
  if (!Number.isSafeInteger(size) || size <= 0 || size > end)
    throw new RangeError('The details of a compiled source are damaged.');
  return [end - size, size];
}

function splitOutput(output: JsonSchema, numberOf: (definition: object) => number): EncodedOutput {
  const { $defs, ...schema } = output;
  if (!isObject($defs)) return { schema: output };
  const definitions: Record<string, number> = {};
  for (const [name, definition] of Object.entries($defs)) {
    if (isObject(definition)) definitions[name] = numberOf(definition);
  }
  return { schema, definitions };
}

function joinOutput(
  { schema, definitions }: EncodedOutput,
  definition: (number: number) => JsonObject,
): JsonSchema {
  if (definitions === undefined) return schema;
  const $defs: JsonObject = {};
  for (const [name, number] of Object.entries(definitions)) $defs[name] = definition(number);
  return { ...schema, $defs };
}

/** Gives every object its number in the order of first use, and writes it then. */
function numbered(write: (schema: JsonObject) => Span) {
  const spans: Span[] = [];
  const known = new Map<object, number>();
  return {
    spans,
    number(schema: object): number {
      let number = known.get(schema);
      if (number === undefined) {
        const span = write(schema as JsonObject);
        number = spans.push(span) - 1;
        known.set(schema, number);
      }
      return number;
    },
  };
}

function memoised<K, V>(make: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = make(key);
      values.set(key, value);
    }
    return value;
  };
}

/** Appends JSON values and remembers where each stands. */
class SpanWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  write(value: object): Span {
    return this.writeText(JSON.stringify(value));
  }

  /** `before` stands between this value and the one written before. */
  writeText(text: string, before = ''): Span {
    this.#reserve((before.length + text.length) * MAX_BYTES_PER_UNIT);
    if (this.#length > 0) this.#length += this.#buffer.write(before, this.#length);
    const span: Span = [this.#length, this.#buffer.write(text, this.#length)];
    this.#length += span[1];
    return span;
  }

  /** In a buffer of its own, so that it can be handed to another thread. */
  bytes(head: Uint8Array = new Uint8Array(0)): Uint8Array {
    const all = new Uint8Array(head.length + this.#length);
    all.set(head);
    all.set(this.#buffer.subarray(0, this.#length), head.length);
    return all;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#buffer.length, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
