import type { JsonObject } from '../../../operations/index.ts';

/** What a family of documents says about its schemas by extensions. */
export interface SchemaDialect {
  /** The schema as JSON Schema's own keywords say it; the node itself where there is nothing to add. */
  refine(node: JsonObject): JsonObject;
  /** True for a property below the root that is not asked for. `target` is what it refers to, or itself. */
  hides(property: JsonObject, target: JsonObject, required: boolean): boolean;
}
