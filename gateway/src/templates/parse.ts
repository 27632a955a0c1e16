import type { Json } from '../operations/index.ts';
import { remember } from '../operations/work/remember.ts';

export type TemplateNamespace = 'args' | 'context' | 'secrets';

/** One `{{args.a.b|default:v}}`. */
export interface TemplateReference {
  /** As written; `check` says which ones there are. */
  readonly namespace: string;
  readonly path: readonly string[];
  /** Taken while the value is missing, null or an empty text. */
  readonly fallback?: { readonly value: string | number | boolean | null };
}

export interface ParsedTemplate {
  /** Texts stand as they are; no two of them follow each other. */
  readonly parts: ReadonlyArray<string | TemplateReference>;
  /** Why it is no template, in one sentence. Its parts are then what was understood. */
  readonly problem?: string;
}

/** Longer texts are parsed each time: what is kept has an end. */
const KEPT_LENGTH = 4096;
const KEPT_TEXTS = 2000;

const NAME = /^([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
const CONSTANTS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

const kept = remember(KEPT_TEXTS, parse);

/**
 * The language of manifests: text with `{{name}}` and `{{name|default:value}}`, white space beside names and signs
 * allowed. A default is `'text'` or `"text"`, a number, true, false or null, other text as it stands, or nothing (an
 * empty text). `{{'…'}}` is the quoted text itself, for those who need a `{{`. All other text stands for itself,
 * single braces and `}}` too; a `{{` that does not close is a fault.
 */
export function parseTemplate(text: string): ParsedTemplate {
  return text.length > KEPT_LENGTH ? parse(text) : kept(text);
}

/** The one reference of a text that is nothing else. */
export function wholeReference({ parts }: ParsedTemplate): TemplateReference | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : undefined;
}

/** As it is written, without its default: `args.a.b`. */
export function referenceName({ namespace, path }: TemplateReference): string {
  return [namespace, ...path].join('.');
}

function parse(text: string): ParsedTemplate {
  const parts: (string | TemplateReference)[] = [];
  const add = (part: string | TemplateReference) => {
    const last = parts.at(-1);
    if (part === '') return;
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  let position = 0;
  for (;;) {
    const start = text.indexOf('{{', position);
    if (start === -1) break;
    add(text.slice(position, start));
    const end = closing(text, start + 2);
    if (end === undefined) return { parts, problem: `"${excerpt(text.slice(start))}" has no closing "}}".` };
    const inner = text.slice(start + 2, end).trim();
    const part = expression(inner);
    if (typeof part === 'object' && 'problem' in part) return { parts, problem: part.problem };
    add(part);
    position = end + 2;
  }
  add(text.slice(position));
  return { parts };
}

/** Where the `}}` stands; what is quoted does not count. */
function closing(text: string, from: number): number | undefined {
  let quote = '';
  for (let index = from; index < text.length; index++) {
    const sign = text[index]!;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === "'" || sign === '"') {
      quote = sign;
    } else if (sign === '}' && text[index + 1] === '}') {
      return index;
    }
  }
  return undefined;
}

function expression(inner: string): string | TemplateReference | { readonly problem: string } {
  const quoted = quotedText(inner);
  if (quoted !== undefined) return quoted;
  const bar = inner.indexOf('|');
  const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
  const [, namespace = '', rest = ''] = NAME.exec(name) ?? [];
  if (namespace === '')
    return { problem: `"{{${excerpt(inner)}}}" is no name such as args.query or context.skill_id.` };
  const path = rest === '' ? [] : rest.slice(1).split('.');
  if (bar === -1) return { namespace, path };
  const filter = inner.slice(bar + 1).trim();
  if (!filter.startsWith('default:'))
    return { problem: `"{{${excerpt(inner)}}}": the only thing that may follow "|" is default:value.` };
  const value = defaultValue(filter.slice('default:'.length).trim());
  if (value === undefined)
    return { problem: `"{{${excerpt(inner)}}}": a default with signs such as | and quotes is quoted whole.` };
  return { namespace, path, fallback: { value } };
}

function quotedText(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || text.at(-1) !== quote) return undefined;
  const inside = text.slice(1, -1);
  return inside.includes(quote) ? undefined : inside;
}

function defaultValue(text: string): string | number | boolean | null | undefined {
  const quoted = quotedText(text);
  if (quoted !== undefined) return quoted;
  if (Object.hasOwn(CONSTANTS, text)) return CONSTANTS[text];
  if (NUMBER.test(text)) return Number(text);
  return /['"|{}]/.test(text) ? undefined : text;
}

function excerpt(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Every text of a tree with the way to it; names of members are not templates. */
export function* textsOf(
  tree: Json,
  path: ReadonlyArray<string | number> = [],
): Generator<{ readonly path: ReadonlyArray<string | number>; readonly text: string }> {
  if (typeof tree === 'string') yield { path, text: tree };
  else if (Array.isArray(tree))
    for (const [index, item] of tree.entries()) yield* textsOf(item, [...path, index]);
  else if (tree !== null && typeof tree === 'object')
    for (const [key, value] of Object.entries(tree)) yield* textsOf(value, [...path, key]);
}
