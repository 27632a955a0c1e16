import type { Document, Node } from 'yaml';
import { ToolcribError } from '../../errors.ts';
import { type DocumentPath, yamlOffset } from '../../operations/text/document-path.ts';
import { isEndless } from '../../operations/text/endless-alias.ts';
import { yamlWords } from '../../operations/text/yaml-words.ts';
import { DOCUMENT_BOUNDS, yamlProblem } from '../yaml-bounds.ts';

/** A parsed YAML or JSON file that still knows where its values stand. */
export interface LocatedYaml {
  readonly value: unknown;
  /** `file:line` of a key, or of the nearest parent that is written down. */
  place(path: DocumentPath): string;
}

/** Aliases times the size of what they stand for; beyond, the file is refused as an alias bomb. */
const MAX_ALIASES = 10_000;

/** Throws `source_invalid` with the line. A key that stands twice in one map is refused. */
export async function readLocatedYaml(text: string, file: string): Promise<LocatedYaml> {
  const yaml = await import('yaml');
  const { LineCounter, parseDocument } = yaml;
  const excess = yamlProblem(text, DOCUMENT_BOUNDS, yaml);
  if (excess !== undefined) throw unreadable(excess, `${file}:1`, undefined);
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    // the reader compares each key with every other
    uniqueKeys: false,
  });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const location = `${file}:${lines.linePos(problem.pos[0]).line}`;
    throw unreadable(yamlWords(problem).replace(/\.$/, ''), location, problem);
  }
  const twice = repeatedKey(yaml, document);
  if (twice !== undefined)
    throw unreadable('this key stands there twice', `${file}:${lines.linePos(twice).line}`, undefined);
  const endless = endlessAlias(yaml, document);
  if (endless !== undefined) {
    const location = `${file}:${lines.linePos(endless).line}`;
    throw unreadable('An alias stands within what it stands for', location, undefined);
  }
  const place = (path: DocumentPath) => {
    const offset = yamlOffset(document.contents, path);
    return offset === undefined ? file : `${file}:${lines.linePos(offset).line}`;
  };
  return { value: plainValue(document, file), place };
}

/** Where a key stands that its mapping has before. */
function repeatedKey(yaml: typeof import('yaml'), document: Document): number | undefined {
  let found: number | undefined;
  yaml.visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const value = yaml.isScalar(key) ? key.value : key;
        if (seen.has(value)) {
          found = (key as Node | null)?.range?.[0] ?? 0;
          return yaml.visit.BREAK;
        }
        seen.add(value);
      }
      return undefined;
    },
  });
  return found;
}

/** Where an alias stands within what it stands for: such a value has no end. */
function endlessAlias(yaml: typeof import('yaml'), document: Document): number | undefined {
  let found: number | undefined;
  yaml.visit(document, {
    Alias(_key, alias, path) {
      if (!isEndless(alias, path, document)) return undefined;
      found = alias.range?.[0] ?? 0;
      return yaml.visit.BREAK;
    },
  });
  return found;
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw unreadable((cause as Error).message, file, cause);
  }
}

function unreadable(reason: string, location: string, cause: unknown): ToolcribError {
  return new ToolcribError('source_invalid', `The manifest ${location} is no valid YAML: ${reason}`, {
    location,
    cause,
  });
}
