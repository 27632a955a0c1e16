import { isObject, type JsonObject } from '../operations/index.ts';

/** What an answer about a managed API holds: the Swagger document itself, or addresses where it lies, best first. */
export type FoundSwagger =
  | { readonly document: JsonObject }
  | { readonly addresses: readonly string[] }
  | undefined;

/** The document stands at the root of `export=true`, or in `properties.swagger`; older answers name addresses. */
export function findSwagger(answer: unknown): FoundSwagger {
  if (!isObject(answer)) return undefined;
  if (isObject(answer['paths'])) return { document: answer };
  const properties = answer['properties'];
  if (!isObject(properties)) return undefined;
  const { swagger } = properties;
  if (isObject(swagger) && isObject(swagger['paths'])) return { document: swagger };
  const definitions = isObject(properties['apiDefinitions']) ? properties['apiDefinitions'] : {};
  const addresses = [
    properties['apiDefinitionUrl'],
    definitions['modifiedSwaggerUrl'],
    definitions['originalSwaggerUrl'],
  ].filter((address): address is string => typeof address === 'string' && address !== '');
  return addresses.length === 0 ? undefined : { addresses: [...new Set(addresses)] };
}
