import type { Diagnostic, Json, JsonObject } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';

/** Into a manifest. */
export type ManifestPath = ReadonlyArray<string | number>;

/** Other spellings, by the key that they stand for. */
export const ALIASES: Readonly<Record<string, string>> = {
  parameters: 'input_schema',
  script: 'entry',
  endpoint: 'url',
  args: 'args_template',
  stdin: 'stdin_template',
  headers: 'headers_template',
  body: 'body_template',
};

export const EXECUTOR_KEYS: readonly string[] = [
  'type',
  'entry',
  'args_template',
  'stdin_template',
  'stdin_text',
  'method',
  'url',
  'headers_template',
  'body_template',
  'timeout_sec',
  'retry',
  'env',
  'network',
];

export const TOOL_KEYS: readonly string[] = [
  'name',
  'title',
  'description',
  'input_schema',
  'output_schema',
  'executor',
  'timeout_sec',
  'retry',
  'access',
  'idempotent',
  'network',
  'env',
];

/** A tool that cannot be. */
export class InvalidTool extends Error {
  readonly path: ManifestPath;
  /** Id of the finding. */
  readonly code: string;

  /** @param message one sentence */
  constructor(code: string, message: string, path: ManifestPath) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** Notes what costs nothing. */
export type Note = (
  code: string,
  message: string,
  path: ManifestPath,
  severity?: Diagnostic['severity'],
) => void;

/** A value with the place where it is written. */
export interface Member {
  readonly value: Json;
  readonly path: ManifestPath;
}

/** Own members of a mapping by their proper keys. */
export class Members {
  readonly path: ManifestPath;
  readonly #members = new Map<string, Member>();

  /**
   * @param known proper keys; what is neither one of them nor an alias of one is noted
   */
  constructor(object: JsonObject, path: ManifestPath, known: readonly string[], note: Note) {
    this.path = path;
    const isKnown = (key: string) => known.includes(key);
    for (const [key, value] of Object.entries(object)) {
      const proper = Object.hasOwn(ALIASES, key) && isKnown(ALIASES[key]!) ? ALIASES[key]! : key;
      const at = [...path, key];
      if (!isKnown(proper))
        note('skill-key-unknown', `${cutText(key, 64)} is unknown.${didYouMean(key, known)}`, at, 'warning');
      else if (proper === key) {
        if (this.#members.has(key)) noteDouble(note, key, this.#members.get(key)!.path);
        this.#members.set(key, { value, path: at });
      } else if (this.#members.has(proper)) noteDouble(note, proper, at);
      else this.#members.set(proper, { value, path: at });
    }
  }

  /** Undefined where it is absent or null. */
  get(key: string): Member | undefined {
    const member = this.#members.get(key);
    return member === undefined || member.value === null ? undefined : member;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }
}

function noteDouble(note: Note, proper: string, path: ManifestPath): void {
  note('skill-key-twice', `${proper} is written twice: this spelling does not count.`, path, 'warning');
}
