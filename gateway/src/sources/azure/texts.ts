import { isObject, type JsonObject } from '../../operations/index.ts';
import { plainText } from '../openapi/texts.ts';

/** Characters of the titles of values in one description. */
const VALUES_LENGTH = 600;

/** Texts one after the other, each ended. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text, index, all) => (index === all.length - 1 || /[.!?:;)…]$/.test(text) ? text : `${text}.`))
    .join(' ');
}

/** What a model reads of a parameter or a property: title and description, each thing said once, and its values' titles. */
export function textOf(node: JsonObject): string {
  const said = described(
    plainText(node['x-ms-summary']) || plainText(node.title),
    plainText(node.description),
  );
  return [said, valueTitles(node)].filter((part) => part !== '').join(' ');
}

function described(title: string, description: string): string {
  if (title === '' || bare(description).includes(bare(title))) return description;
  return description === '' ? title : `${title}: ${description}`;
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** `x-ms-enum-values`, else `x-ms-enum.values`. */
export function enumValues(
  node: JsonObject,
): ReadonlyArray<{ value: string | number | boolean; title: string }> {
  const autoRest = isObject(node['x-ms-enum']) ? node['x-ms-enum'].values : undefined;
  const listed = node['x-ms-enum-values'] ?? autoRest;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { value } = entry;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    return [{ value, title: plainText(entry.displayName ?? entry.description ?? entry.name) }];
  });
}

/** `low: Low, high: High`; empty where the titles say no more than the values. */
function valueTitles(node: JsonObject): string {
  const values = enumValues(node);
  if (!values.some(({ value, title }) => title !== '' && title !== String(value))) return '';
  return listed(values.map(({ value, title }) => (title === '' ? String(value) : `${value}: ${title}`)));
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
