import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';

export interface SpecificationVersion {
  /** As the document says it, e.g. `3.1.0`. */
  readonly text: string;
  /** Swagger 2.0. */
  readonly swagger: boolean;
  /** 3.1 and later: schemas are JSON Schema 2020-12, and keywords beside `$ref` count. */
  readonly jsonSchema: boolean;
  /** 3.2 and later: `query`. */
  readonly queryMethod: boolean;
}

/** Throws `source_invalid` for what is neither Swagger 2.0 nor OpenAPI 3. */
export function readVersion(root: JsonObject, location: string): SpecificationVersion {
  const text = scalarText(root.openapi ?? root.swagger) ?? '';
  const [major, minor] = text.split('.').map(Number);
  if (major !== 2 && major !== 3) {
    const found =
      text === ''
        ? (otherFormat(root) ?? 'has neither `openapi` nor `swagger`')
        : `says version ${JSON.stringify(text.slice(0, 40))}`;
    const message = `${location} ${found}: Swagger 2.0 and OpenAPI 3.0 to 3.2 can be compiled.`;
    throw new ToolcribError('source_invalid', message, { location, pointer: '#' });
  }
  const three = major === 3;
  return {
    text,
    swagger: !three,
    jsonSchema: three && (minor ?? 0) >= 1,
    queryMethod: three && (minor ?? 0) >= 2,
  };
}

/** What is often taken for a description of an API, by what only such documents have at their root. */
function otherFormat(root: JsonObject): string | undefined {
  if (root.overlay !== undefined && root.actions !== undefined) {
    return 'is an OpenAPI Overlay, which changes another document: name that one, and this as `overlay` of the same source';
  }
  if (root.arazzo !== undefined)
    return 'is an Arazzo document of workflows: name the descriptions that it refers to';
  if (root.asyncapi !== undefined) return 'is an AsyncAPI document of messages';
  const { info } = root;
  if (isObject(info) && scalarText(info.schema)?.includes('getpostman.com')) {
    return 'is a Postman collection: export the API that it calls as OpenAPI';
  }
  return root.__schema !== undefined || (isObject(root.data) && root.data.__schema !== undefined)
    ? 'is a GraphQL schema'
    : undefined;
}
