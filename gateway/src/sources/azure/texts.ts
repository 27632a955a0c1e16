import type { JsonObject } from '../../operations/index.ts';
import { plainText } from '../openapi/texts.ts';
import { bare, valueTitles } from '../openapi/value-titles.ts';

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
