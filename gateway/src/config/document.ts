import type { Document, YAMLError } from 'yaml';
import { ToolcribError } from '../errors.ts';
import { type DocumentPath, yamlOffset } from '../operations/text/document-path.ts';
import { isEndless } from '../operations/text/endless-alias.ts';
import { printable } from '../operations/text/printable.ts';
import { yamlWords } from '../operations/text/yaml-words.ts';

/** A parsed YAML or JSON file that still knows where its values stand. */
export interface LocatedDocument {
  readonly value: unknown;
  /** 1-based line of a key, or of the nearest parent that is written down. */
  lineOf(path: DocumentPath): number | undefined;
}

/** JSON is read as the subset of YAML 1.2 that it is. Throws `configuration_invalid` with the line. */
export async function readDocument(given: string, file: string): Promise<LocatedDocument> {
  const { isScalar, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const text = given.replace(/^\uFEFF/, '');
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    resolveKnownTags: false,
  });
  const placeAt = (offset: number | undefined) =>
    offset === undefined ? file : `${file}:${lines.linePos(offset).line}`;
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw invalidYaml(yamlFault(problem, text), placeAt(problem.pos[0]));
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return;
      throw invalidYaml('no key can be named __proto__.', placeAt(key.range?.[0]));
    },
    Scalar(_, { value, range }) {
      if (typeof value !== 'string' || !value.includes('\0')) return;
      throw invalidYaml('this text has a NUL character, which nothing takes.', placeAt(range?.[0]));
    },
    Alias(_, alias, path) {
      const fault =
        alias.resolve(document) === undefined
          ? `stands for nothing: no &${printable(alias.source, 64)} comes before it.`
          : isEndless(alias, path, document)
            ? 'stands within what it stands for, which has no end.'
            : undefined;
      if (fault === undefined) return;
      throw invalidYaml(`*${printable(alias.source, 64)} ${fault}`, placeAt(alias.range?.[0]));
    },
  });
  const lineOf = (path: DocumentPath) => {
    const offset = yamlOffset(document.contents, path);
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
  return { value: plainValue(document, file), lineOf };
}

/** A tag that is passed over would leave its text: `!env NAME` as a credential, say; `{ key: ${NAME} }` is no YAML. */
function yamlFault(error: YAMLError, text: string): string {
  if (error.code === 'TAG_RESOLVE_FAILED') {
    const tag = error.message.replace(/^Unresolved tag: (?:tag:yaml\.org,2002:)?/, '');
    return `the tag ${printable(tag, 64)} is not understood. { env: NAME } reads an environment variable, { file: PATH } a file.`;
  }
  const shellName = /\$\{(\w+)\}/y;
  shellName.lastIndex = Math.max(0, error.pos[0] - 1);
  const name = shellName.exec(text)?.[1];
  if (name !== undefined)
    return `a variable is not named as a shell names it. { env: ${printable(name, 64)} } reads it.`;
  return yamlWords(error);
}

function invalidYaml(fault: string, location: string): ToolcribError {
  return new ToolcribError('configuration_invalid', `The file is no valid YAML: ${fault}`, { location });
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
