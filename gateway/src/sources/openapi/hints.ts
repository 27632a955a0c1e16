import { ToolcribError } from '../../errors.ts';
import {
  examineHints,
  type HintReader,
  hintReaders,
  hintText,
  limitsOfHints,
  mergeHints,
} from '../../hints/index.ts';
import { isObject, type JsonObject, type Limits } from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import { type HintsFile, readHintsFile } from './hints-file.ts';
import type { HintsSettings } from './options.ts';
import type { Place } from './place.ts';
import { UnnamedExtension } from './unnamed-extension.ts';

/** What the hints of one operation come to. */
export interface CompiledHints {
  readonly hints: JsonObject;
  /** Only ever stricter than without them. */
  readonly limits: Limits;
}

/** Which operation is asked about. */
export interface HintedOperation extends Place {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** Characters of a purpose; no list shows as many. */
const PURPOSE_LENGTH = 1000;
/** Members named in the one diagnostic about hints that cannot be read. */
const NAMED_PROBLEMS = 5;

/** Reads the hints of operations: the document's extensions, and over them the operator's file. */
export class HintReading {
  readonly #readers: readonly HintReader[];
  readonly #file: HintsFile | undefined;
  readonly #log: DiagnosticLog;
  /** Of the extension that the configuration names. */
  readonly #extension: UnnamedExtension | undefined;
  #unreadable: { readonly pointer: string; readonly said: Set<string>; operations: number } | undefined;

  private constructor(
    readers: readonly HintReader[],
    file: HintsFile | undefined,
    log: DiagnosticLog,
    extension?: string,
  ) {
    this.#readers = readers;
    this.#file = file;
    this.#log = log;
    this.#extension = extension === undefined ? undefined : new UnnamedExtension(extension);
  }

  /** Throws `source_unreadable` and `source_invalid` for the file, `configuration_invalid` for readers. */
  static async open(
    { file, extension }: HintsSettings,
    context: SourceContext,
    log: DiagnosticLog,
  ): Promise<HintReading> {
    const read = file === undefined ? undefined : await readHintsFile(file, context, log);
    return new HintReading(hintReaders(context.hintReaders, extension), read, log, extension);
  }

  /** The document's own hints alone. */
  static ofDocument(readers: SourceContext['hintReaders'], log: DiagnosticLog): HintReading {
    return new HintReading(hintReaders(readers, undefined), undefined, log);
  }

  /** SHA-256 of the operator's file; undefined where there is none. */
  get fileHash(): string | undefined {
    return this.#file?.hash;
  }

  of(operation: HintedOperation): CompiledHints | undefined {
    this.#extension?.saw(operation.node);
    const own = this.#own(operation);
    const added = this.#file?.of(operation);
    const hints = added === undefined ? own : mergeHints(own, added);
    if (hints === undefined) return undefined;
    const { hints: typed, problems } = examineHints(hints);
    if (problems.length > 0) this.#note(operation, problems);
    return { hints: withCleanPurpose(hints), limits: limitsOfHints(typed) };
  }

  /** What only shows once every operation was read. */
  finish(): void {
    this.#file?.reportUnmatched();
    this.#reportUnnamed();
    if (this.#unreadable === undefined) return;
    const { pointer, said, operations } = this.#unreadable;
    const named = [...said].slice(0, NAMED_PROBLEMS).join(', ');
    const more = said.size > NAMED_PROBLEMS ? ' and more' : '';
    const of = operations === 1 ? '1 operation' : `${operations} operations`;
    const message = `Hints of ${of} have members of another form than they should (${named}${more}); these are left out${said.has('requires_confirmation') ? ', but such a requires_confirmation asks a person' : ''}.`;
    this.#log.report('hints-unreadable', 'warning', message, pointer);
  }

  #reportUnnamed(): void {
    const { unnamed, name } = this.#extension ?? {};
    if (unnamed === undefined) return;
    const message = `No operation has hints in ${name}, which the configuration names.${unnamed}`;
    this.#log.report('hints-unmatched', 'warning', message);
  }

  /** The first reader that understands something. */
  #own({ node, pointer }: HintedOperation): JsonObject | undefined {
    for (const reader of this.#readers) {
      const value = Object.hasOwn(node, reader.extension) ? node[reader.extension] : undefined;
      if (value === undefined || value === null) continue;
      try {
        const hints: unknown = reader.read(value, node);
        if (isObject(hints) && Object.keys(hints).length > 0) return hints;
        if (hints !== undefined || !isObject(value))
          this.#note({ pointer }, [`${reader.extension} as a whole`]);
      } catch (error) {
        if (error instanceof ToolcribError) throw error;
        const message = `Hint reader ${reader.name} failed: ${(error as Error).message}. The operation has no hints.`;
        this.#log.report('hints-unreadable', 'warning', message, `${pointer}/${reader.extension}`);
      }
    }
    return undefined;
  }

  #note({ pointer }: Pick<Place, 'pointer'>, problems: readonly string[]): void {
    this.#unreadable ??= { pointer, said: new Set(), operations: 0 };
    this.#unreadable.operations += 1;
    for (const problem of problems) this.#unreadable.said.add(problem);
  }
}

/** The purpose is shown by itself in lists, where nothing cleans it any more; the rest is cleaned when it is shown. */
function withCleanPurpose(hints: JsonObject): JsonObject {
  const said = Object.hasOwn(hints, 'purpose') ? hints['purpose'] : undefined;
  if (typeof said !== 'string') return hints;
  const purpose = hintText(said, PURPOSE_LENGTH);
  return purpose === said ? hints : { ...hints, purpose };
}
