import { isObject, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { collectProperty } from './all-of.ts';
import type { SchemaDialect } from './schema-dialect.ts';

export type Direction = 'request' | 'response';

/** Which properties a direction does not carry: `readOnly` ones in requests, `writeOnly` ones in responses. */
export class HiddenProperties {
  readonly #references: References;
  readonly #direction: Direction;
  readonly #dialect: SchemaDialect | undefined;

  constructor(references: References, direction: Direction, dialect: SchemaDialect | undefined) {
    this.#references = references;
    this.#direction = direction;
    this.#dialect = dialect;
  }

  /** `pointer` is where the property stands. */
  hides(property: unknown, pointer: string): boolean {
    if (!isObject(property)) return false;
    if (this.#isFlagged(property)) return true;
    if (typeof property.$ref !== 'string') return false;
    const target = this.#references.object(property, pointer);
    return target !== undefined && this.#isFlagged(target.node);
  }

  /** The same for one that stands in an object of its own, where the dialect hides more. */
  hidesBelow(property: unknown, required: boolean, pointer: string): boolean {
    if (this.hides(property, pointer)) return true;
    if (this.#dialect === undefined || !isObject(property)) return false;
    const target = this.#references.object(property, pointer)?.node;
    return target !== undefined && this.#dialect.hides(property, target, required);
  }

  /** A required property that its own schema, or every part of `allOf` that has it, hides. */
  hidesRequired(node: JsonObject, name: string, pointer: string): boolean {
    const own = isObject(node.properties) ? node.properties[name] : undefined;
    if (own !== undefined) return this.hidesBelow(own, true, pointer);
    if (!Array.isArray(node.allOf)) return false;
    const found: unknown[] = [];
    collectProperty(this.#references, node.allOf, name, found, new Set());
    return found.length > 0 && found.every((property) => this.hidesBelow(property, true, pointer));
  }

  #isFlagged(schema: JsonObject): boolean {
    return (this.#direction === 'request' ? schema.readOnly : schema.writeOnly) === true;
  }
}
