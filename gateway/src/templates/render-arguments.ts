import { ToolcribError } from '../errors.ts';
import type { ScriptArgument } from '../operations/index.ts';
import { parseTemplate } from './parse.ts';
import { lookUp, renderText, type TemplatePath, type TemplateValues } from './values.ts';

/**
 * The arguments of a program. A text becomes exactly one of them, however it looks. A list is left out whole while an
 * argument in it is missing, null or an empty text and has no default. A flag is there while its argument is true.
 *
 * @throws `template_value_missing` for a missing value outside a list
 * @throws `arguments_invalid` for a NUL, which no program can be given
 */
export function renderArguments(args: readonly ScriptArgument[], values: TemplateValues): string[] {
  return args.flatMap((item, index) => {
    if (typeof item === 'string') return [argument(item, values, [index])];
    if ('flag' in item) return isTrue(item.when, values) ? [item.flag] : [];
    if (item.some((text) => isLeftOut(text, values))) return [];
    return item.map((text, inner) => argument(text, values, [index, inner]));
  });
}

/** The way that `when` names: `args.json`, or the same between braces. Undefined where it names no argument. */
export function flagCondition(when: string): readonly string[] | undefined {
  const text = when.includes('{{') ? when.trim() : `{{${when}}}`;
  const { parts, problem } = parseTemplate(text);
  const [only] = parts;
  if (problem !== undefined || parts.length !== 1 || typeof only !== 'object') return undefined;
  return only.namespace === 'args' && only.path.length > 0 && only.fallback === undefined
    ? only.path
    : undefined;
}

function isTrue(when: string, values: TemplateValues): boolean {
  const path = flagCondition(when);
  return path !== undefined && lookUp({ namespace: 'args', path }, values) === true;
}

function isLeftOut(text: string, values: TemplateValues): boolean {
  return parseTemplate(text).parts.some((part) => {
    if (typeof part === 'string' || part.namespace !== 'args' || part.fallback !== undefined) return false;
    const value = lookUp(part, values);
    return value === undefined || value === null || value === '';
  });
}

function argument(text: string, values: TemplateValues, path: TemplatePath): string {
  const rendered = renderText(text, values, undefined, ['args_template', ...path]);
  if (rendered.includes('\0'))
    throw new ToolcribError('arguments_invalid', 'An argument for a program has a NUL in it.');
  return rendered;
}
