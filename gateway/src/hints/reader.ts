import { ToolcribError } from '../errors.ts';
import { isObject, type JsonObject } from '../operations/index.ts';

/** The extension that is read where the configuration names no other. */
const DEFAULT_EXTENSION = 'x-llm-hints';

/**
 * Understands one way to write hints. Its answer is in the vocabulary of `x-llm-hints` (docs/hints.md), whatever the
 * document's own is, so that everything else is written once.
 */
export interface HintReader {
  /** For diagnostics. */
  readonly name: string;
  /** The specification extension that it reads, on an operation: begins with `x-`. */
  readonly extension: string;
  /**
   * Undefined where nothing can be read of it. `node` is the whole Operation Object, not to be changed. May throw: then
   * the operation has no hints, and a diagnostic says so.
   */
  read(value: unknown, node?: JsonObject): JsonObject | undefined;
}

/** Takes `x-llm-hints` or an extension of the same vocabulary as it stands. */
function plainReader(extension: string = DEFAULT_EXTENSION): HintReader {
  return {
    name: extension,
    extension,
    read: (value) => (isObject(value) && Object.keys(value).length > 0 ? value : undefined),
  };
}

/** Readers by extension. A reader of the embedder's replaces the plain one. Throws `configuration_invalid`. */
export function hintReaders(
  brought: readonly HintReader[] = [],
  extension: string = DEFAULT_EXTENSION,
): readonly HintReader[] {
  const readers = new Map<string, HintReader>([[extension, plainReader(extension)]]);
  const seen = new Set<string>();
  for (const reader of brought) {
    if (!/^x-./i.test(reader.extension) || seen.has(reader.extension)) {
      throw new ToolcribError(
        'configuration_invalid',
        seen.has(reader.extension)
          ? `Two hint readers read ${reader.extension}: keep one.`
          : `Hint reader ${reader.name} reads ${JSON.stringify(reader.extension)}: an extension begins with x-.`,
      );
    }
    seen.add(reader.extension);
    readers.set(reader.extension, reader);
  }
  return [...readers.values()];
}
