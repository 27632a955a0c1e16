import { ToolcribError } from '../../errors.ts';
import { type JsoncMember, type JsoncNode, parseJsonc } from './jsonc.ts';

/** The value at `key.name` of a JSON text; undefined when it is not there. */
export function readEntry(text: string, key: string, name: string, file: string): unknown {
  if (text.trim() === '') return undefined;
  return member(member(parseJsonc(text, file), key)?.node, name)?.node.value;
}

/**
 * The text with `key.name` set. Everything else, comments and formatting included, stays byte for byte; a
 * missing `key` is added. An empty text becomes a new document.
 */
export function withEntry(text: string, key: string, name: string, value: unknown, file: string): string {
  if (text.replace('\uFEFF', '').trim() === '') {
    return `${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  }
  const root = objectNode(parseJsonc(text, file), file, 'The file');
  const servers = member(root, key);
  if (servers === undefined) return withMember(text, root, key, { [name]: value });
  const object = objectNode(servers.node, file, `"${key}"`);
  const existing = member(object, name);
  if (existing === undefined) return withMember(text, object, name, value);
  const indent = indentBefore(text, existing.keyStart);
  return splice(text, existing.node.start, existing.node.end, formatted(text, value, indent));
}

/** The text without `key.name`; the container stays, empty or not. */
export function withoutEntry(text: string, key: string, name: string, file: string): string {
  const object = member(parseJsonc(text, file), key)?.node;
  const found = member(object, name);
  if (object === undefined || found === undefined) return text;
  const members = object.members!;
  const index = members.indexOf(found);
  const start = lineStart(text, found.keyStart);
  if (found.comma !== undefined) return splice(text, start, restOfLine(text, found.comma + 1), '');
  const before = members[index - 1];
  const cleaned = splice(text, start, restOfLine(text, found.node.end), '');
  return before?.comma === undefined ? cleaned : splice(cleaned, before.comma, before.comma + 1, '');
}

function withMember(text: string, object: JsoncNode, name: string, value: unknown): string {
  const members = object.members!;
  const last = members.at(-1);
  const closing = indentBefore(text, object.start);
  const indent = last === undefined ? closing + unit(text) : indentBefore(text, last.keyStart);
  const line = `${JSON.stringify(name)}: ${formatted(text, value, indent)}`;
  const eol = endOfLine(text);
  if (last === undefined) {
    const rest =
      text.slice(object.start + 1, object.end - 1).trim() === '' ? object.end - 1 : object.start + 1;
    const tail = rest === object.end - 1 ? `${eol}${closing}` : '';
    return splice(text, object.start + 1, rest, `${eol}${indent}${line}${tail}`);
  }
  if (last.comma !== undefined) return splice(text, last.comma + 1, last.comma + 1, `${eol}${indent}${line}`);
  return splice(text, last.node.end, last.node.end, `,${eol}${indent}${line}`);
}

function member(node: JsoncNode | undefined, key: string): JsoncMember | undefined {
  return node?.members?.findLast((one) => one.key === key);
}

function objectNode(node: JsoncNode, file: string, what: string): JsoncNode {
  if (node.members !== undefined) return node;
  throw new ToolcribError('file_conflict', `${what} holds something other than an object.`, {
    location: file,
  });
}

function formatted(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unit(text)).replaceAll('\n', `${endOfLine(text)}${indent}`);
}

/** One step of indentation, as the file does it. */
function unit(text: string): string {
  return /\n([ \t]+)["}]/.exec(text)?.[1] ?? '  ';
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function indentBefore(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)![0];
}

/** Where the member's own line starts when nothing else stands before it, else the member itself. */
function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*$/.test(text.slice(start, offset)) ? start : offset;
}

/** Past the blanks and the line end after a removed member, when nothing else stands there. */
function restOfLine(text: string, offset: number): number {
  return offset + /^[ \t]*(?:\r?\n)?/.exec(text.slice(offset))![0].length;
}

function splice(text: string, start: number, end: number, insertion: string): string {
  return text.slice(0, start) + insertion + text.slice(end);
}
