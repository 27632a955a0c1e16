import { isDeepStrictEqual } from 'node:util';
import type { Document, Pair, YAMLMap } from 'yaml';
import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { readDocument } from '../document.ts';

/** One source that is written into, replaced in or taken out of a configuration file. */
export interface SourceEdit {
  readonly section: 'sources' | 'mcpServers';
  readonly name: string;
  /** As the section takes it; absent: the source goes. */
  readonly entry?: JsonObject;
}

type Yaml = typeof import('yaml');

/**
 * The text of a configuration file with one source changed. Every other line stays as it is, comments included; only
 * where a section is written in braces is it laid out anew. Throws `configuration_invalid` for a broken text, and
 * `file_conflict` where it cannot be edited without changing what else it says.
 */
export async function editSource(text: string, file: string, edit: SourceEdit): Promise<string> {
  const wanted = expectedValue(await readValue(text, file), edit);
  for (const attempt of text.trimStart().startsWith('{') ? [asJson, laidOut] : [spliced, laidOut]) {
    const edited = await attempted(() => attempt(text, edit));
    if (edited === undefined) continue;
    const value = await readValue(edited, file).catch(() => undefined);
    if (isDeepStrictEqual(value, wanted)) return edited;
  }
  throw new ToolcribError('file_conflict', `${file} is written in a way that cannot be edited safely here.`, {
    location: file,
    next: `Change ${edit.section}.${edit.name} in the file by hand; the gateway takes it over.`,
  });
}

async function readValue(text: string, file: string): Promise<JsonObject> {
  const { value } = await readDocument(text, file);
  return isObject(value) ? value : {};
}

/** What the library refuses to write is no edit. */
async function attempted<T>(edit: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await edit();
  } catch {
    return undefined;
  }
}

function expectedValue(value: JsonObject, { section, name, entry }: SourceEdit): JsonObject {
  const before = isObject(value[section]) ? value[section] : {};
  const { [name]: _gone, ...others } = before;
  if (entry === undefined) return { ...value, [section]: others };
  return { ...value, [section]: { ...before, [name]: entry } };
}

/** JSON has no comments: it is written anew with the indentation and the ends of lines that it has. */
function asJson(text: string, edit: SourceEdit): string {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const value = expectedValue(JSON.parse(text) as JsonObject, edit);
  return endedAs(text, JSON.stringify(value, null, indent) + (text.endsWith('\n') ? '\n' : ''));
}

/** The whole document by the library: comments stay, the layout may change. */
async function laidOut(text: string, { section, name, entry }: SourceEdit): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { stringKeys: true });
  if (entry === undefined) document.deleteIn([section, name]);
  else document.setIn([section, name], document.createNode(entry));
  return endedAs(text, document.toString({ lineWidth: 0 }));
}

function endedAs(text: string, written: string): string {
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}

/** Lines put in, replaced or taken out where the section is written line by line; undefined where it is not. */
async function spliced(text: string, edit: SourceEdit): Promise<string | undefined> {
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text, { stringKeys: true });
  const { contents } = document;
  if (contents !== null && !isBlock(yaml, contents)) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const section = pairOf(contents as YAMLMap | null, edit.section);
  const lines = (indent: number, value: Json) =>
    yaml
      .stringify(value, { lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? end : ' '.repeat(indent) + line + end))
      .join('');
  const { name, entry } = edit;
  if (section === undefined) {
    if (entry === undefined) return undefined;
    return ended(text, end) + lines(0, { [edit.section]: { [name]: entry } });
  }
  const value = section.value as unknown;
  if (isEmpty(yaml, value)) {
    if (entry === undefined) return undefined;
    return replaced(text, lineSpan(yaml, text, section), lines(0, { [edit.section]: { [name]: entry } }));
  }
  if (!isBlock(yaml, value)) return undefined;
  const indent = columnOf(text, (value.items[0]!.key as Ranged).range![0]);
  const own = pairOf(value, name);
  if (own !== undefined) {
    const alone = value.items.length === 1 && entry === undefined;
    const span = lineSpan(yaml, text, alone ? section : own);
    if (alone) return replaced(text, span, `${edit.section}: {}${end}`);
    return replaced(text, span, entry === undefined ? '' : lines(indent, { [name]: entry }));
  }
  if (entry === undefined) return undefined;
  const at = lineSpan(yaml, text, value.items.at(-1)!).to;
  return ended(text.slice(0, at), end) + lines(indent, { [name]: entry }) + text.slice(at);
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

function isBlock(yaml: Yaml, node: unknown): node is YAMLMap {
  return yaml.isMap(node) && !node.flow && node.items.length > 0;
}

function isEmpty(yaml: Yaml, node: unknown): boolean {
  return (
    node === null ||
    (yaml.isScalar(node) && node.value === null) ||
    (yaml.isMap(node) && node.items.length === 0)
  );
}

function pairOf(map: YAMLMap | Document['contents'] | null, name: string): Pair | undefined {
  const items = (map as YAMLMap | null)?.items ?? [];
  return items.find(({ key }) => (key as { value?: unknown } | null)?.value === name);
}

/** Whole lines from a key to the end of its value. */
function lineSpan(yaml: Yaml, text: string, pair: Pair): { readonly from: number; readonly to: number } {
  const start = (pair.key as Ranged).range![0];
  const last = Math.max(lastOffset(yaml, pair.value), (pair.key as Ranged).range![1]);
  const within = text[last - 1] === '\n' ? last - 1 : last;
  const lineEnd = text.indexOf('\n', within);
  return { from: text.lastIndexOf('\n', start - 1) + 1, to: lineEnd === -1 ? text.length : lineEnd + 1 };
}

/** Where a value ends, without the comments behind it that belong to what follows. */
function lastOffset(yaml: Yaml, node: unknown): number {
  if (yaml.isCollection(node) && !node.flow && node.items.length > 0) {
    const item: unknown = node.items.at(-1);
    if (!yaml.isPair(item)) return lastOffset(yaml, item);
    return Math.max(lastOffset(yaml, item.value), (item.key as Ranged | null)?.range?.[1] ?? 0);
  }
  return (node as Ranged | null)?.range?.[1] ?? 0;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function replaced(text: string, { from, to }: { from: number; to: number }, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function ended(text: string, end: string): string {
  return text === '' || text.endsWith('\n') ? text : text + end;
}
