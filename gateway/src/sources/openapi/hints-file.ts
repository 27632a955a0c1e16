import { createHash } from 'node:crypto';
import type { Document, Pair } from 'yaml';
import { ToolcribError } from '../../errors.ts';
import { hintMembers } from '../../hints/index.ts';
import { shownLocation } from '../../operations/http/shown-location.ts';
import { escapeToken, isObject, type JsonObject } from '../../operations/index.ts';
import { fileText } from '../../operations/text/file-text.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { parserWords } from '../../operations/text/parser-words.ts';
import type { SourceContext } from '../source-kind.ts';
import { DOCUMENT_BOUNDS, yamlProblem } from '../yaml-bounds.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import { readableLocation } from './read/location.ts';

/** Aliases times the size of what they stand for; beyond, the file is refused as an alias bomb. */
const MAX_ALIASES = 10_000;

/** One entry of the file: an operation by its id, or by `METHOD /path`. */
interface Entry {
  readonly hints: JsonObject;
  readonly line: number;
  used: boolean;
}

interface Wanted {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The operator's own hints: a YAML or JSON map of operations to hint members. */
export interface HintsFile {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  of(operation: Wanted): JsonObject | undefined;
  /** Says which entries name no operation, with their lines. */
  reportUnmatched(): void;
}

/** Relative to the configuration. Throws `source_unreadable`, and `source_invalid` with the line. */
export async function readHintsFile(
  name: string,
  context: SourceContext,
  log: DiagnosticLog,
): Promise<HintsFile> {
  const place = readableLocation(name, context.baseDirectory);
  const bytes = await context.reader.read(place, context.signal);
  const location = shownLocation(place);
  const entries = await parseEntries(fileText(bytes), location, log);
  const known = new Set<string>();
  return {
    hash: createHash('sha256').update(bytes).digest('hex'),
    of({ id, method, path }) {
      const place = `${method.toUpperCase()} ${path}`;
      known.add(id);
      const found = [entries.get(id), id === place ? undefined : entries.get(place)].filter(
        (entry) => entry !== undefined,
      );
      for (const entry of found) entry.used = true;
      return found.length === 0 ? undefined : Object.assign({}, ...found.map(({ hints }) => hints));
    },
    reportUnmatched() {
      for (const [key, { line, used }] of entries) {
        if (used) continue;
        const nearest = didYouMean(key, known);
        const message = `${location}:${line}: no operation is called ${key}; its hints are left out.${nearest}`;
        log.report('hints-unmatched', 'warning', message, `${location}#/${escapeToken(key)}`);
      }
    },
  };
}

async function parseEntries(text: string, location: string, log: DiagnosticLog): Promise<Map<string, Entry>> {
  const yaml = await import('yaml');
  const excess = yamlProblem(text, DOCUMENT_BOUNDS, yaml);
  if (excess !== undefined) throw unusable(location, excess.replace(/\.$/, ''));
  const lines = new yaml.LineCounter();
  const document: Document = yaml.parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    logLevel: 'silent',
  });
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const problem = document.errors[0];
  if (problem !== undefined) throw unusable(`${location}:${lineAt(problem.pos[0])}`, parserWords(problem));
  const value = plainValue(document, location);
  if (value === null || value === undefined) return new Map();
  if (!isObject(value)) throw unusable(location, 'it must be a map of operations to hints');
  const linesByKey = keyLines(yaml, document, lineAt);
  const entries = new Map<string, Entry>();
  const members = hintMembers();
  for (const [key, hints] of Object.entries(value)) {
    const line = linesByKey.get(key) ?? 1;
    if (isObject(hints)) {
      entries.set(placeKey(key), { hints, line, used: false });
      reportMisspelt(hints, members, { key, location, line }, log);
    } else {
      const message = `${location}:${line}: the hints of ${key} must be a map; they are left out.`;
      log.report('hints-unreadable', 'warning', message, `${location}#/${escapeToken(key)}`);
    }
  }
  return entries;
}

/** Members of no form are kept, but in a file of the operator's own a name so near another is a slip of the pen. */
function reportMisspelt(
  hints: JsonObject,
  members: readonly string[],
  { key, location, line }: { readonly key: string; readonly location: string; readonly line: number },
  log: DiagnosticLog,
): void {
  for (const member of Object.keys(hints).filter((name) => !members.includes(name))) {
    const nearest = didYouMean(member, members);
    if (nearest === '') continue;
    const message = `${location}:${line}: the hints of ${key} have a member ${member}, which has no effect.${nearest}`;
    log.report(
      'hints-unmatched',
      'warning',
      message,
      `${location}#/${escapeToken(key)}/${escapeToken(member)}`,
    );
  }
}

function plainValue(document: Document, location: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw unusable(location, (cause as Error).message);
  }
}

function keyLines(
  yaml: typeof import('yaml'),
  { contents }: Document,
  lineAt: (offset: number | undefined) => number,
): Map<string, number> {
  if (!yaml.isMap(contents)) return new Map();
  return new Map(
    (contents.items as Pair[]).flatMap(
      ({ key }): Array<[string, number]> =>
        yaml.isScalar(key) ? [[String(key.value), lineAt(key.range?.[0])]] : [],
    ),
  );
}

/** `get /pets` is `GET /pets`; anything else is an operation id. */
function placeKey(key: string): string {
  const [, method, path] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(key) ?? [];
  return method === undefined ? key : `${method.toUpperCase()} ${path}`;
}

function unusable(location: string, reason: string): ToolcribError {
  return new ToolcribError('source_invalid', `The hints ${location} cannot be read: ${reason}.`, {
    location,
  });
}
