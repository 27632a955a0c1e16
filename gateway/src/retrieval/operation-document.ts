import { isObject, type JsonSchema, type VisibleOperation } from '../operations/index.ts';
import type { SearchDocument } from './search-document.ts';

/** What is searched of an operation: its tool's definition and its facts; the operation itself is not read. */
export function documentOf({ operation, name, tool, facts }: VisibleOperation): SearchDocument {
  const title = facts.title ?? tool.title;
  return {
    key: operation,
    name,
    ...(title === undefined ? {} : { title }),
    description: tool.description,
    ...(facts.http === undefined ? {} : { path: facts.http.path, method: facts.http.method }),
    effect: facts.access === 'read' ? 'reads' : 'changes',
    tags: facts.tags,
    parameters: parameterTexts(tool.inputSchema),
    ...(facts.purpose === undefined ? {} : { hints: facts.purpose }),
  };
}

/** Names of the arguments with their descriptions; members of a `body` object count as arguments. */
function parameterTexts(schema: JsonSchema): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  collect(schema, texts);
  return texts;
}

function collect(schema: unknown, texts: Record<string, string>): void {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const text = isObject(property) ? property['description'] : undefined;
    texts[name] ??= typeof text === 'string' ? text : '';
    if (name === 'body') collect(property, texts);
  }
}
