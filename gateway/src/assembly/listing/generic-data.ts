import type { JsonObject } from '../../operations/index.ts';
import type { Category, GenericMappings } from '../../topology/generic/category.ts';
import { parseMappings } from '../../topology/generic/schema.ts';
import { readCategories } from './read-categories.ts';

/** What generic tools are made of beside the catalog. */
export interface GenericData {
  readonly categories: readonly Category[];
  /** A provider's mappings, checked once each; what does not fit the schema maps nothing. */
  readonly mappings: (generic: JsonObject) => GenericMappings;
}

export function loadGenericData(files: readonly string[]): GenericData {
  const parsed = new WeakMap<JsonObject, GenericMappings>();
  return {
    categories: readCategories(files),
    mappings(generic) {
      let mappings = parsed.get(generic);
      if (mappings === undefined) {
        const outcome = parseMappings(generic);
        mappings = outcome ?? {};
        parsed.set(generic, mappings);
      }
      return mappings;
    },
  };
}
