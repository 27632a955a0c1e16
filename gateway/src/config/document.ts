import type { Document, ErrorCode, YAMLParseError } from 'yaml';
import { ToolcribError } from '../errors.ts';
import { type DocumentPath, yamlOffset } from '../operations/text/document-path.ts';
import { parserWords } from '../operations/text/parser-words.ts';

/** A parsed YAML or JSON file that still knows where its values stand. */
export interface LocatedDocument {
  readonly value: unknown;
  /** 1-based line of a key, or of the nearest parent that is written down. */
  lineOf(path: DocumentPath): number | undefined;
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
    throw new ToolcribError('configuration_invalid', `The file is no valid YAML: ${yamlFault(problem)}`, {
      location: `${file}:${line}`,
    });
  }
  const lineOf = (path: DocumentPath) => {
    const offset = yamlOffset(document.contents, path);
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
  return { value: plainValue(document, file), lineOf };
}

/** Of the parser's words those that mean little to whoever wrote a line wrongly. */
const YAML_FAULTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'this line is indented too far, or a value with ": " in it lacks its quotes.',
  DUPLICATE_KEY: 'this key stands there twice.',
};

function yamlFault(error: YAMLParseError): string {
  return YAML_FAULTS[error.code] ?? `${parserWords(error)}.`;
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
