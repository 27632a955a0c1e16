import { ToolcribError } from '../errors.ts';
import { escapeToken, type Json, type ScriptArgument } from '../operations/index.ts';
import { templateNames } from './names.ts';
import { parseTemplate } from './parse.ts';
import { asText, lookUp, renderText, type TemplatePath, type TemplateValues } from './values.ts';

/** A list may stand in a template more than once, and systems take no more than about that. */
const MOST_ARGUMENTS = 10_000;

/**
 * The arguments of a program. A text becomes exactly one of them, however it looks. A list is left out whole while its
 * arguments are missing, null or an empty text and have no default. A flag is there while its argument is true, or a
 * list that is not empty. `each` becomes as many as its list has items, none while it is missing, null or empty.
 *
 * @param elsewhere what else is rendered with these values, for a list that is left out
 * @throws `template_value_missing` for a missing value outside a list
 * @throws `arguments_invalid` where a list has one of its arguments and lacks another
 * @throws `arguments_invalid` for a NUL, which no program can be given; where `each` names no list, or one with items
 * that are no texts, numbers, true or false; for more than 10,000 arguments
 */
export function renderArguments(
  args: readonly ScriptArgument[],
  values: TemplateValues,
  elsewhere: Json = null,
): string[] {
  const rendered: string[] = [];
  for (const [index, item] of args.entries()) {
    for (const one of itemsOf(item, values, index)) rendered.push(one);
    if (Array.isArray(item)) checkWhole(item, args.toSpliced(index, 1), values, elsewhere);
    if (rendered.length > MOST_ARGUMENTS)
      throw new ToolcribError('arguments_invalid', `A program is given at most ${MOST_ARGUMENTS} arguments.`);
  }
  return rendered;
}

function itemsOf(item: ScriptArgument, values: TemplateValues, index: number): readonly string[] {
  if (typeof item === 'string') return [argument(item, values, [index])];
  if ('each' in item) return eachOf(item, values);
  if ('when' in item) return isThere(item.when, values) ? [item.flag] : [];
  if (item.some((text) => isLeftOut(text, values))) return [];
  return item.map((text, inner) => argument(text, values, [index, inner]));
}

/** The way that `when` or `each` names: `args.json`, or the same between braces. Undefined where it names no argument. */
export function argumentPath(named: string): readonly string[] | undefined {
  const text = named.includes('{{') ? named.trim() : `{{${named}}}`;
  const { parts, problem } = parseTemplate(text);
  const [only] = parts;
  if (problem !== undefined || parts.length !== 1 || typeof only !== 'object') return undefined;
  return only.namespace === 'args' && only.path.length > 0 && only.fallback === undefined
    ? only.path
    : undefined;
}

function isThere(when: string, values: TemplateValues): boolean {
  const path = argumentPath(when);
  const value = path === undefined ? undefined : lookUp({ namespace: 'args', path }, values);
  return value === true || (Array.isArray(value) && value.length > 0);
}

function eachOf(
  { each, flag }: { readonly each: string; readonly flag?: string },
  values: TemplateValues,
): readonly string[] {
  const path = argumentPath(each);
  if (path === undefined) throw new ToolcribError('skill_invalid', 'each names one argument.');
  const list = lookUp({ namespace: 'args', path }, values);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw unusable(path, 'is no list');
  if (list.length > MOST_ARGUMENTS) throw unusable(path, `has more than ${MOST_ARGUMENTS} items`);
  return list.flatMap((item: Json, index) => {
    if (item === null || typeof item === 'object')
      throw unusable([...path, `${index}`], 'is no text, number, true or false');
    const text = withoutNul(asText(item));
    return flag === undefined ? [text] : [flag, text];
  });
}

function unusable(path: readonly string[], why: string): ToolcribError {
  return new ToolcribError('arguments_invalid', `${['args', ...path].join('.')} ${why}.`, {
    pointer: `/${path.map(escapeToken).join('/')}`,
  });
}

/** A list that is left out takes nothing with it that was given and goes nowhere else. */
function checkWhole(
  item: readonly string[],
  others: readonly ScriptArgument[],
  values: TemplateValues,
  more: Json,
): void {
  const named = item.flatMap((text) => argumentsIn(text));
  const missing = named.find((path) => !isGiven(path, values));
  if (missing === undefined) return;
  const paths = [...others.flatMap(argumentsOf), ...templateNames(more).map(({ path }) => path)];
  const elsewhere = new Set(paths.map((path) => path.join('.')));
  const lost = named.find((path) => isGiven(path, values) && !elsewhere.has(path.join('.')));
  if (lost !== undefined)
    throw unusable(missing, `is missing, without which args.${lost.join('.')} goes nowhere`);
}

function argumentsOf(item: ScriptArgument): readonly (readonly string[])[] {
  if (typeof item === 'string') return argumentsIn(item);
  if ('each' in item) return [argumentPath(item.each) ?? []];
  if ('when' in item) return [argumentPath(item.when) ?? []];
  return item.flatMap(argumentsIn);
}

function isLeftOut(text: string, values: TemplateValues): boolean {
  return argumentsIn(text).some((path) => !isGiven(path, values));
}

/** Arguments that a template names, but for those with a default. */
function argumentsIn(text: string): readonly (readonly string[])[] {
  return parseTemplate(text).parts.flatMap((part) =>
    typeof part === 'string' || part.namespace !== 'args' || part.fallback !== undefined ? [] : [part.path],
  );
}

function isGiven(path: readonly string[], values: TemplateValues): boolean {
  const value = lookUp({ namespace: 'args', path }, values);
  return value !== undefined && value !== null && value !== '';
}

function argument(text: string, values: TemplateValues, path: TemplatePath): string {
  return withoutNul(renderText(text, values, undefined, ['args_template', ...path]));
}

function withoutNul(text: string): string {
  if (text.includes('\0'))
    throw new ToolcribError('arguments_invalid', 'An argument for a program has a NUL in it.');
  return text;
}
