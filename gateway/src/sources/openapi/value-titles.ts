import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { plainText } from './texts.ts';

/** Characters of the titles of values in one description. */
const VALUES_LENGTH = 600;

type Scalar = string | number | boolean;

export interface TitledValue {
  readonly value: Scalar;
  /** Empty where nothing is said of it. */
  readonly title: string;
}

/** `x-ms-enum-values`, else `x-ms-enum.values`. */
export function microsoftValues(node: JsonObject): readonly TitledValue[] {
  const autoRest = isObject(node['x-ms-enum']) ? node['x-ms-enum'].values : undefined;
  const listed = node['x-ms-enum-values'] ?? autoRest;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry) => {
    if (!isObject(entry) || !isScalar(entry.value)) return [];
    return [{ value: entry.value, title: plainText(entry.displayName ?? entry.description ?? entry.name) }];
  });
}

/** `(low: Low, high: High)`; empty where nothing is said of the values of a schema, or no more than they say themselves. */
export function valueTitles(node: JsonObject): string {
  const microsoft = microsoftValues(node);
  const values = microsoft.length > 0 ? microsoft : titledValues(node);
  if (!values.some(({ value, title }) => title !== '' && title !== String(value))) return '';
  return listed(values.map(({ value, title }) => (title === '' ? String(value) : `${value}: ${title}`)));
}

/**
 * Descriptions (`x-enum-descriptions` of OpenAPI Generator, `x-enumDescriptions` of Redocly), else names
 * (`x-enum-varnames`, `x-enumNames` of NSwag); by position, or by value. A name that is the value in other letters says
 * nothing.
 */
function titledValues(node: JsonObject): readonly TitledValue[] {
  const { enum: values } = node;
  if (!Array.isArray(values)) return [];
  const texts = [
    node['x-enum-descriptions'] ?? node['x-enumDescriptions'],
    node['x-enum-varnames'] ?? node['x-enumNames'],
  ];
  if (texts.every((text) => text === undefined)) return [];
  return values.flatMap((value, index) => {
    if (!isScalar(value)) return [];
    const title =
      texts.map((text) => plainText(textAt(text, value, index))).find((text) => text !== '') ?? '';
    return [{ value, title: bare(title) === bare(String(value)) ? '' : title }];
  });
}

function textAt(texts: Json | undefined, value: Scalar, index: number): Json | undefined {
  if (Array.isArray(texts)) return texts[index];
  const key = String(value);
  return isObject(texts) && Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function isScalar(value: Json | undefined): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Letters and digits alone, lower case. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** `(a, b, c)`, or as many as fit: `(a, b, …)`. */
function listed(parts: readonly string[]): string {
  let length = 2;
  let fits = 1;
  for (const [index, part] of parts.entries()) {
    length += part.length + (index === 0 ? 0 : 2);
    if (length > VALUES_LENGTH && parts.length > 1) return `(${parts.slice(0, fits).join(', ')}, …)`;
    if (length + 3 <= VALUES_LENGTH) fits = index + 1;
  }
  return `(${parts.join(', ')})`;
}
