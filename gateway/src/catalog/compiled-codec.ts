import { type CompiledSource, type CompiledTool, compiledOperation } from '../compiler/compiled-source.ts';
import { isObject, type JsonObject, type JsonSchema, type Operation } from '../operations/index.ts';

/** Increase when the layout changes: older encodings are then compiled again. */
export const CODEC_VERSION = 5;

/** A compiled source as bytes: what every listing needs, and apart from it what only a call needs. */
export interface EncodedSource {
  /** A line of JSON (everything that listing decides by), then the tools as JSON texts with commas between, addressed like details. */
  readonly index: Uint8Array;
  /** Concatenated JSON values, addressed by [offset, length] in bytes. */
  readonly details: Uint8Array;
}

type Span = readonly [offset: number, length: number];

interface EncodedIndex extends Omit<CompiledSource, 'tools'> {
  readonly version: number;
  readonly tools: readonly EncodedTool[];
  /** Output schemas that tools share, once each. */
  readonly outputs: readonly Span[];
  /** Schemas that output schemas share, once each. */
  readonly definitions: readonly Span[];
}

interface EncodedTool {
  readonly name: string;
  readonly facts: CompiledTool['facts'];
  /** The tool's JSON text, in the index behind the first line. */
  readonly text: Span;
  /** The operation, in the details. */
  readonly at: Span;
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
  const details = new SpanWriter();
  const texts = new SpanWriter();
  const definition = numbered((schema) => details.write(schema));
  const output = numbered((schema) => details.write(splitOutput(schema, definition.number)));
  const tools = source.tools.map(({ name, facts, json, operation }): EncodedTool => {
    const { input: _input, description: _description, output: schema, ...rest } = operation();
    const encoded: EncodedOperation = {
      operation: rest,
      ...(schema === undefined ? {} : { output: output.number(schema) }),
    };
    return { name, facts, text: texts.writeText(json(), ','), at: details.write(encoded) };
  });
  const index: EncodedIndex = {
    ...source,
    version: CODEC_VERSION,
    tools,
    outputs: output.spans,
    definitions: definition.spans,
  };
  const head = new TextEncoder().encode(`${JSON.stringify(index)}\n`);
  return { index: texts.bytes(head), details: details.bytes() };
}

/** `read` gives the bytes of one span of `details`, from memory or from a file. Undefined: another codec version. */
export function decodeCompiled(
  index: Uint8Array,
  read: (offset: number, length: number) => string,
): CompiledSource | undefined {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const head = bytes.indexOf('\n');
  const { version, tools, outputs, definitions, ...source } = JSON.parse(
    bytes.toString('utf8', 0, head),
  ) as EncodedIndex;
  if (version !== CODEC_VERSION) return undefined;
  const definition = memoised((number: number) => JSON.parse(read(...definitions[number]!)) as JsonObject);
  const output = memoised((number: number) =>
    joinOutput(JSON.parse(read(...outputs[number]!)) as EncodedOutput, definition),
  );
  return {
    ...source,
    tools: tools.map(({ name, facts, text: [offset, length], at }): CompiledTool => {
      const from = head + 1 + offset;
      const json = () => bytes.toString('utf8', from, from + length);
      const slice = () => bytes.subarray(from, from + length);
      const tool = once(() => JSON.parse(json()) as CompiledTool['tool']);
      const operation = once((): Operation => {
        const encoded = JSON.parse(read(...at)) as EncodedOperation;
        const schema = encoded.output === undefined ? {} : { output: output(encoded.output) };
        return compiledOperation({ ...encoded.operation, ...schema }, tool());
      });
      return {
        name,
        facts,
        json,
        bytes: slice,
        operation,
        get tool() {
          return tool();
        },
      };
    }),
  };
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

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Appends JSON values and remembers where each stands. */
class SpanWriter {
  readonly #parts: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #length = 0;

  write(value: object): Span {
    return this.writeText(JSON.stringify(value));
  }

  /** `before` stands between this value and the one written before. */
  writeText(text: string, before = ''): Span {
    const lead = this.#length === 0 ? 0 : before.length;
    const bytes = this.#encoder.encode(lead === 0 ? text : before + text);
    const span: Span = [this.#length + lead, bytes.length - lead];
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return span;
  }

  /** In a buffer of its own, so that it can be handed to another thread. */
  bytes(head: Uint8Array = new Uint8Array(0)): Uint8Array {
    const all = new Uint8Array(head.length + this.#length);
    all.set(head);
    let at = head.length;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
