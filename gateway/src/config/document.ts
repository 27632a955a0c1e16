import type { Document, LineCounter, Node } from 'yaml';
import { ToolcribError } from '../errors.ts';

/** A parsed YAML or JSON file that still knows where its values stand. */
export interface LocatedDocument {
  readonly value: unknown;
  /** 1-based line of a key, or of the nearest parent that is written down. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/** JSON is read as the subset of YAML 1.2 that it is. Throws `configuration_invalid` with the line. */
export async function readDocument(text: string, file: string): Promise<LocatedDocument> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
  });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line } = lines.linePos(problem.pos[0]);
    throw new ToolcribError('configuration_invalid', `The file is no valid YAML: ${problem.message}.`, {
      location: `${file}:${line}`,
    });
  }
  return { value: plainValue(document, file), lineOf: (path) => lineOf(document, lines, path) };
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ToolcribError(
      'configuration_invalid',
      `The file cannot be read: ${(error as Error).message}.`,
      {
        location: file,
        cause: error,
      },
    );
  }
}

interface MapLike {
  readonly items: ReadonlyArray<{ readonly key?: { readonly value?: unknown; readonly range?: Range } }>;
}
type Range = readonly [number, number, number] | null | undefined;

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  let offset = document.contents?.range?.[0];
  let node: unknown = document.contents;
  for (const step of path) {
    if (typeof step === 'number') {
      const item = (node as { items?: readonly Node[] } | null)?.items?.[step];
      if (item === undefined) break;
      offset = item.range?.[0] ?? offset;
      node = item;
      continue;
    }
    const pair = (node as MapLike | null)?.items?.find?.((entry) => entry.key?.value === step);
    if (pair === undefined) break;
    offset = pair.key?.range?.[0] ?? offset;
    node = (pair as { value?: unknown }).value;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}
