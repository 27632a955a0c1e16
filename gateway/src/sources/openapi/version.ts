import { ToolcribError } from '../../errors.ts';
import type { JsonObject } from '../../operations/index.ts';
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
        ? 'has neither `openapi` nor `swagger`'
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
