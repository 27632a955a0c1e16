import { ToolcribError } from '../errors.ts';
import { escapeToken, type Json, type JsonObject, valueAt } from '../operations/index.ts';
import { parseTemplate, referenceName, type TemplateReference } from './parse.ts';

/** What a call puts in. Own members only are looked at. */
export interface TemplateValues {
  readonly args: JsonObject;
  readonly context: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

export type TemplatePath = ReadonlyArray<string | number>;

/** Where something is put in, for those who encode it. */
export interface TemplatePlace {
  readonly namespace: string;
  readonly path: readonly string[];
  /** The template's own text before it, without what was put in there. */
  readonly before: string;
  /** The template's own text after it. */
  readonly after: string;
}

/** Values may be large and stand in a text more than once. */
const LONGEST_TEXT = 8 * 1024 * 1024;

/**
 * The value of a reference, its default while it is missing, null or an empty text.
 * @returns undefined where it is missing and has no default; null and empty texts that were given stay
 */
export function lookUp(
  { namespace, path, fallback }: TemplateReference,
  values: TemplateValues,
): Json | undefined {
  const space = Object.hasOwn(values, namespace) ? values[namespace as keyof TemplateValues] : undefined;
  const value = path.length === 0 ? undefined : (valueAt(space, path) as Json | undefined);
  const isMissing = value === undefined || value === null || value === '';
  return isMissing && fallback !== undefined ? fallback.value : value;
}

/**
 * One template as text; objects and lists as JSON.
 * @param encode is given every value that is put in, as text
 * @param path where the text stands, for the message
 * @returns never a cut text
 * @throws `template_value_missing` for what is missing or null and has no default
 * @throws `arguments_invalid` where the text would have more than 8 MiB of characters
 */
export function renderText(
  text: string,
  values: TemplateValues,
  encode: (value: string, place: TemplatePlace) => string = (value) => value,
  path: TemplatePath = [],
): string {
  const { parts } = checked(text);
  let before = '';
  let rendered = '';
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      before += part;
      rendered += part;
    } else {
      const value = lookUp(part, values);
      if (value === undefined || value === null) throw missing(part, path);
      const after = parts.slice(index + 1).filter((one) => typeof one === 'string');
      const place = { namespace: part.namespace, path: part.path, before, after: after.join('') };
      rendered += encode(asText(value), place);
    }
    if (rendered.length > LONGEST_TEXT)
      throw new ToolcribError(
        'arguments_invalid',
        `What the arguments make of the template${at(path)} is longer than ${LONGEST_TEXT} characters.`,
      );
  }
  return rendered;
}

/** A template that the compiler would have refused is not guessed at. */
export function checked(text: string): ReturnType<typeof parseTemplate> {
  const parsed = parseTemplate(text);
  if (parsed.problem !== undefined) throw new ToolcribError('skill_invalid', parsed.problem);
  return parsed;
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function missing(reference: TemplateReference, path: TemplatePath): ToolcribError {
  const name = referenceName(reference);
  const pointer = reference.namespace === 'args' ? reference.path.map(escapeToken).join('/') : undefined;
  return new ToolcribError(
    'template_value_missing',
    `${name} has no value, and the template${at(path)} has no default for it.`,
    { ...(pointer === undefined ? {} : { pointer: `/${pointer}` }), details: { name } },
  );
}

function at(path: TemplatePath): string {
  return path.length === 0 ? '' : ` at ${path.join('.')}`;
}
