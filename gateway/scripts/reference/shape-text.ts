import { alternatives, itemsOf, type Schema, valuesOf } from './schema-words.ts';

/** Members below this depth are not spelled out. */
const DEEPEST = 5;
/** A shape of at most so many characters stands in one line. */
const ONE_LINE = 96;

/**
 * A JSON Schema as the shape of a value, the way TypeScript writes it: descriptions are comments at the end of
 * the line, `?` marks what may be absent. Nothing of it is code that is run.
 */
export function shapeText(schema: Schema, indent = '', depth = 0): string {
  const parts = alternatives(schema, schema);
  const words = [...new Set(parts.map((part) => shapeOf(part, indent, depth)))];
  return words.join(' | ');
}

function shapeOf(schema: Schema, indent: string, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') {
    const items = itemsOf(schema);
    const one = items === undefined ? 'unknown' : shapeText(items, indent, depth);
    return one.includes(' | ') && !one.startsWith('{') ? `(${one})[]` : `${one}[]`;
  }
  if (schema.type === 'object' || schema.properties !== undefined) return objectOf(schema, indent, depth);
  if (Array.isArray(schema.type)) return schema.type.map(nameOf).join(' | ');
  return typeof schema.type === 'string' ? nameOf(schema.type) : 'unknown';
}

function nameOf(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function objectOf(schema: Schema, indent: string, depth: number): string {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) {
    const values = valuesOf(schema);
    const open = values !== undefined && Object.keys(values).length > 0;
    return open ? `{ [name: string]: ${shapeText(values, indent, depth + 1)} }` : 'object';
  }
  if (depth >= DEEPEST) return 'object';
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return { text: `${key}${mark}: ${shapeText(member, inner, depth + 1)};`, note: noteOf(member) };
  });
  const flat = `{ ${lines.map(({ text }) => text.slice(0, -1)).join('; ')} }`;
  const simple = lines.every(({ text, note }) => note === '' && !text.includes('\n'));
  if (simple && flat.length + indent.length <= ONE_LINE) return flat;
  return `{\n${lines.map(({ text, note }) => `${inner}${text}${note}`).join('\n')}\n${indent}}`;
}

function noteOf({ description }: Schema): string {
  return description === undefined ? '' : ` // ${description.replace(/\s+/g, ' ').trim()}`;
}
