import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CST, Lexer, parse } from 'yaml';
import { ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import { parserWords } from '../../operations/text/parser-words.ts';
import type { SourceContext } from '../source-kind.ts';
import { DOCUMENT_BOUNDS, yamlProblem } from '../yaml-bounds.ts';
import { type Annotation, AnnotationInvalid, readAnnotation } from './annotation.ts';
import type { Workflow } from './workflow.ts';

/** Annotations by workflow name or id; below `nodes`, by the name of a Webhook node. */
export class Sidecar {
  readonly #entries: Readonly<Record<string, unknown>>;
  readonly #location: string;
  readonly #used = new Set<string>();
  readonly #usedNodes = new Set<string>();

  constructor(entries: Readonly<Record<string, unknown>>, location: string) {
    this.#entries = entries;
    this.#location = location;
  }

  /** What it says of one node, the more exact first. Throws AnnotationInvalid. */
  annotations({ id, name }: Pick<Workflow, 'id' | 'name'>, node: string): readonly Annotation[] {
    return [id, name].flatMap((key) => {
      if (!Object.hasOwn(this.#entries, key)) return [];
      this.#used.add(key);
      const place = `${this.#location}, ${key}`;
      const entry = this.#entries[key];
      if (!isObject(entry)) throw new AnnotationInvalid(`${place}: must be an object.`);
      const { nodes, ...general } = entry;
      if (nodes !== undefined && !isObject(nodes))
        throw new AnnotationInvalid(`${place}, nodes: must be an object.`);
      const isNamed = nodes !== undefined && Object.hasOwn(nodes, node);
      if (isNamed) this.#usedNodes.add(`${key}\n${node}`);
      const own = isNamed ? [readAnnotation(nodes[node], `${place}, nodes, ${node}`)] : [];
      return [...own, readAnnotation(general, place)];
    });
  }

  /** Keys that no workflow has: a typing error, or a workflow that is gone. */
  unused(): readonly string[] {
    return Object.keys(this.#entries).filter((key) => !this.#used.has(key));
  }

  /** Below `nodes` of workflows that are there: nodes that are not, so that what is said of them holds for none. */
  unusedNodes(): readonly (readonly [workflow: string, node: string])[] {
    return [...this.#used].flatMap((key) => {
      const entry = this.#entries[key];
      const nodes = isObject(entry) && isObject(entry['nodes']) ? Object.keys(entry['nodes']) : [];
      return nodes
        .filter((node) => !this.#usedNodes.has(`${key}\n${node}`))
        .map((node) => [key, node] as const);
    });
  }
}

/** Throws `source_unreadable`, and `source_invalid` when it is no map. */
export async function readSidecar(file: string | undefined, context: SourceContext): Promise<Sidecar> {
  if (file === undefined) return new Sidecar({}, '');
  const location = locate(file, context.baseDirectory);
  const text = new TextDecoder().decode(await context.reader.read(location, context.signal));
  const excess = yamlProblem(text, DOCUMENT_BOUNDS, { CST, Lexer });
  if (excess !== undefined)
    throw new ToolcribError('source_invalid', `${location} cannot be read: ${excess}`, { location });
  let entries: unknown;
  try {
    entries = parse(text, { maxAliasCount: 0 }) ?? {};
  } catch (cause) {
    const reason = parserWords(cause as Error).replace(/[:.]\s*$/, '');
    throw new ToolcribError('source_invalid', `${location} is neither YAML nor JSON: ${reason}.`, {
      location,
      cause,
    });
  }
  if (isObject(entries)) return new Sidecar(entries, location);
  throw new ToolcribError('source_invalid', `${location} must map workflow names to what is said of them.`, {
    location,
  });
}

function locate(file: string, baseDirectory: string): string {
  if (/^file:/i.test(file)) return fileURLToPath(file);
  return isAbsolute(file) || /^https?:/i.test(file) ? file : resolve(baseDirectory, file);
}
