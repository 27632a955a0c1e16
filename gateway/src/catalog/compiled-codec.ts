import { type CompiledSource, type CompiledTool, compiledOperation } from '../compiler/compiled-source.ts';
import { isObject, type JsonObject, type JsonSchema, type Operation } from '../operations/index.ts';

/** Increase when the layout changes: older encodings are then compiled again. */
export const CODEC_VERSION = 1;

/** A compiled source as bytes: what every listing needs, and apart from it what only a call needs. */
export interface EncodedSource {
  /** JSON: everything but the operations' own parts, and where those stand. */
  readonly index: Uint8Array;
  /** Concatenated JSON values, addressed by [offset, length] in bytes. */
  readonly details: Uint8Array;
}

type Span = readonly [offset: number, length: number];

interface EncodedIndex extends Omit<CompiledSource, 'tools'> {
  readonly version: number;
  readonly tools: ReadonlyArray<{
    readonly tool: CompiledTool['tool'];
    readonly facts: CompiledTool['facts'];
    readonly at: Span;
  }>;
  /** Schemas that output schemas share, once each. */
  readonly definitions: readonly Span[];
}

interface EncodedOperation {
  readonly operation: Omit<Operation, 'input' | 'description' | 'output'>;
  readonly output?: JsonSchema;
  /** Names of `$defs` of the output schema → index into `definitions`. */
  readonly outputDefinitions?: Readonly<Record<string, number>>;
}

export function encodeCompiled(source: CompiledSource): EncodedSource {
  const details = new DetailWriter();
  const definitions: Span[] = [];
  const known = new Map<object, number>();
  const numberOf = (definition: object): number => {
    let number = known.get(definition);
    if (number === undefined) {
      number = definitions.length;
      known.set(definition, number);
      definitions.push(details.write(definition));
    }
    return number;
  };
  const tools = source.tools.map(({ tool, facts, operation }) => {
    const { input: _input, description: _description, output, ...rest } = operation();
    const encoded: EncodedOperation = {
      operation: rest,
      ...(output === undefined ? {} : splitOutput(output, numberOf)),
    };
    return { tool, facts, at: details.write(encoded) };
  });
  const index: EncodedIndex = { ...source, version: CODEC_VERSION, tools, definitions };
  return { index: new TextEncoder().encode(JSON.stringify(index)), details: details.bytes() };
}

/** `read` gives the bytes of one span of `details`, from memory or from a file. Undefined: another codec version. */
export function decodeCompiled(
  index: Uint8Array,
  read: (offset: number, length: number) => string,
): CompiledSource | undefined {
  const { version, tools, definitions, ...source } = JSON.parse(
    new TextDecoder().decode(index),
  ) as EncodedIndex;
  if (version !== CODEC_VERSION) return undefined;
  const definition = memoised((number: number) => JSON.parse(read(...definitions[number]!)) as JsonObject);
  return {
    ...source,
    tools: tools.map(({ tool, facts, at }) => {
      const load = memoised((_key: 0): Operation => {
        const encoded = JSON.parse(read(...at)) as EncodedOperation;
        const output = joinOutput(encoded, definition);
        return compiledOperation({ ...encoded.operation, ...(output === undefined ? {} : { output }) }, tool);
      });
      return { tool, facts, operation: () => load(0) };
    }),
  };
}

function splitOutput(
  output: JsonSchema,
  numberOf: (definition: object) => number,
): Pick<EncodedOperation, 'output' | 'outputDefinitions'> {
  const { $defs, ...root } = output;
  if (!isObject($defs)) return { output };
  const numbers: Record<string, number> = {};
  for (const [name, definition] of Object.entries($defs)) {
    if (isObject(definition)) numbers[name] = numberOf(definition);
  }
  return { output: root, outputDefinitions: numbers };
}

function joinOutput(
  encoded: EncodedOperation,
  definition: (number: number) => JsonObject,
): JsonSchema | undefined {
  const { output, outputDefinitions } = encoded;
  if (output === undefined || outputDefinitions === undefined) return output;
  const $defs: JsonObject = {};
  for (const [name, number] of Object.entries(outputDefinitions)) $defs[name] = definition(number);
  return { ...output, $defs };
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
class DetailWriter {
  readonly #parts: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #length = 0;

  write(value: object): Span {
    const bytes = this.#encoder.encode(JSON.stringify(value));
    const span: Span = [this.#length, bytes.length];
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return span;
  }

  /** In a buffer of its own, so that it can be handed to another thread. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
