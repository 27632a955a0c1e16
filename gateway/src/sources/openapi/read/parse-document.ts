import type { Document, LineCounter, Pair } from 'yaml';
import { ToolcribError } from '../../../errors.ts';
import { yamlWords } from '../../../operations/text/yaml-words.ts';
import { DOCUMENT_BOUNDS, parseWithin } from '../../yaml-bounds.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import { indentFlow } from './flow-indentation.ts';

/** Aliases times the size of what they stand for; beyond, the file is refused as an alias bomb. */
const MAX_ALIASES = 10_000;

const OPTIONS = { merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** What a sign-in, a proxy or the reader of a documentation answers instead; that of NestJS begins with a comment. */
const PAGE = /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html)\b/i;
/** Characters in which a page is recognised. */
const PAGE_HEAD = 4096;

/** How compressed files begin; what is no UTF-8 in them was replaced when they were read as text. */
const PACKINGS = [
  { name: 'gzip', begins: '\u001f\ufffd' },
  { name: 'ZIP', begins: 'PK\u0003\u0004' },
] as const;

/**
 * JSON or YAML text as a value. A byte order mark is ignored, duplicate YAML keys are reported (the last one counts).
 * Throws `source_invalid` with the line where neither can be read.
 */
export async function parseDocument(text: string, location: string, log: DiagnosticLog): Promise<unknown> {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (PAGE.test(plain.slice(0, PAGE_HEAD))) {
    throw new ToolcribError(
      'source_invalid',
      `The document ${location} is a page for people (HTML), and no description of an API.`,
      {
        location,
        next: 'Name the address of the document itself, which such a page often loads: /openapi.json, /swagger.json, /docs-json. Where it wants a credential, `openapi: { document: …, headers: … }` shows one.',
      },
    );
  }
  const packing = PACKINGS.find(({ begins }) => plain.startsWith(begins));
  if (packing !== undefined) {
    throw new ToolcribError(
      'source_invalid',
      `The document ${location} is compressed (${packing.name}), which is not read.`,
      { location, next: 'Unpack it, and name the document that is in it.' },
    );
  }
  if (!/^\s*[{[]/.test(plain)) return parseYaml(plain, location, log);
  try {
    return JSON.parse(plain);
  } catch (cause) {
    try {
      return await parseYaml(plain, location, log);
    } catch {
      throw invalid(location, cause as Error);
    }
  }
}

async function parseYaml(text: string, location: string, log: DiagnosticLog): Promise<unknown> {
  const yaml = await import('yaml');
  const first = readYaml(yaml, text, location);
  const problem = first.document.errors[0];
  const indented = problem === undefined ? undefined : readIndented(yaml, text, location);
  if (problem !== undefined && indented === undefined) {
    throw invalid(`${location}:${first.lines.linePos(problem.pos[0]).line}`, problem);
  }
  const { document, lines } = indented ?? first;
  for (const start of indented?.starts ?? []) {
    log.report(
      'indentation-short',
      'warning',
      `${location}:${lines.linePos(start).line}: the value that begins here goes on in lines that are indented too little for YAML; it is read as if they were not.`,
    );
  }
  reportDuplicates(yaml, document, (key, offset) => {
    const place = offset === undefined ? location : `${location}:${lines.linePos(offset).line}`;
    log.report('key-duplicate', 'warning', `${place}: the key ${key} stands twice; the last one counts.`);
  });
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw invalid(location, cause as Error);
  }
}

interface ReadYaml {
  readonly document: Document;
  readonly lines: LineCounter;
}

function readYaml(yaml: typeof import('yaml'), text: string, location: string): ReadYaml {
  const lines = new yaml.LineCounter();
  try {
    const document = parseWithin(text, DOCUMENT_BOUNDS, { ...OPTIONS, lineCounter: lines }, yaml);
    if (typeof document === 'string') throw new Error(document);
    return { document, lines };
  } catch (cause) {
    throw invalid(location, cause as Error);
  }
}

/** The text as most readers take it; nothing where it is no YAML even so. */
function readIndented(
  yaml: typeof import('yaml'),
  text: string,
  location: string,
): (ReadYaml & { readonly starts: readonly number[] }) | undefined {
  const indented = indentFlow(text, yaml);
  if (indented === undefined) return undefined;
  const read = readYaml(yaml, indented.text, location);
  return read.document.errors.length === 0 ? { ...read, starts: indented.starts } : undefined;
}

function reportDuplicates(
  yaml: typeof import('yaml'),
  document: Document,
  found: (key: string, offset: number | undefined) => void,
): void {
  yaml.visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items as Pair[]) {
        if (!yaml.isScalar(key)) continue;
        const name = String(key.value);
        if (name !== '<<' && seen.has(name)) found(name, key.range?.[0]);
        seen.add(name);
      }
    },
  });
}

function invalid(location: string, cause: Error): ToolcribError {
  const message = `The document ${location} is neither JSON nor YAML: ${yamlWords(cause)}`;
  return new ToolcribError('source_invalid', message, { location, cause });
}
