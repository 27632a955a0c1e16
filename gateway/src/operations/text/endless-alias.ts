import type { Alias, Document } from 'yaml';

/** Whether an alias stands within what it stands for: such a value has no end. `path`: what it stands in. */
export function isEndless(alias: Alias, path: readonly object[], document: Document): boolean {
  // only what is called so is looked for: that goes through the whole document
  const isNamed = path.some((node) => 'anchor' in node && node.anchor === alias.source);
  return isNamed && path.includes(alias.resolve(document)!);
}
