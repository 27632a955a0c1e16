import { escapeToken, isObject, type JsonObject } from '../../../operations/index.ts';

/**
 * What `$ref: Pet` means where no file is called so but a schema of the document is: the pointer to that. TypeBox and
 * Elysia write it, as first drafts of Swagger 2.0 had it. Undefined for anything else.
 */
export function schemaByName({ components, definitions }: JsonObject, reference: string): string | undefined {
  if (/[#/\\:]|\.(?:json|ya?ml)$/i.test(reference)) return undefined;
  const schemas = isObject(components) ? components.schemas : undefined;
  if (isObject(schemas) && Object.hasOwn(schemas, reference))
    return `#/components/schemas/${escapeToken(reference)}`;
  return isObject(definitions) && Object.hasOwn(definitions, reference)
    ? `#/definitions/${escapeToken(reference)}`
    : undefined;
}
