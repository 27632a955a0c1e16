import type { Json } from '../operations/index.ts';
import { parseTemplate, type TemplateNamespace, textsOf } from './parse.ts';

/** A value that templates ask for. */
export interface TemplateName {
  readonly namespace: TemplateNamespace;
  readonly path: readonly string[];
  /** It may be missing where it is asked for. */
  readonly hasDefault: boolean;
}

/** Every value that the templates of a tree ask for, in order; one that stands there twice is there twice. */
export function templateNames(tree: Json): readonly TemplateName[] {
  const names: TemplateName[] = [];
  for (const { text } of textsOf(tree))
    for (const part of parseTemplate(text).parts)
      if (typeof part === 'object')
        names.push({
          namespace: part.namespace as TemplateNamespace,
          path: part.path,
          hasDefault: part.fallback !== undefined,
        });
  return names;
}
