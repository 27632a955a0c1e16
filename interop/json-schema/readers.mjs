import { DiagnosticLog } from '../../gateway/src/sources/openapi/diagnostics.ts';
import { References } from '../../gateway/src/sources/openapi/read/references.ts';
import { SchemaConverter } from '../../gateway/src/sources/openapi/schemas/converter.ts';
import { createValidator, lintAndCompile } from '../../gateway/src/validation/validator.ts';

const COMPONENT = '#/components/schemas/Tested';

/** As the schema of a tool, a skill or an upstream server is read. */
export function asToolSchema(schema) {
  const { validate, diagnostics } = lintAndCompile(schema);
  return validate === undefined
    ? { refused: diagnostics.at(-1).message }
    : { accepts: validate, told: diagnostics.length > 0 };
}

/** As a schema of an OpenAPI 3.1 document is read, for requests. */
export function asOpenApiSchema(schema) {
  const log = new DiagnosticLog();
  const document = { components: { schemas: { Tested: withinDocument(schema) } } };
  const references = new References(document, new Map(), (reference) => reference);
  const converter = new SchemaConverter(references, log, 'request', true);
  const converted = converter.convert({ $ref: COMPONENT }, '#/tested');
  const input = {
    type: 'object',
    properties: { value: converted.schema },
    $defs: converter.definitions(converted.uses) ?? {},
  };
  const validator = createValidator();
  return { accepts: (value) => validator.validate(input, { value }).valid, told: log.list().length > 0 };
}

/** References from the schema's root lead to where it stands in the document. */
function withinDocument(value) {
  if (Array.isArray(value)) return value.map(withinDocument);
  if (value === null || typeof value !== 'object') return value;
  const { $ref } = value;
  const moved = typeof $ref === 'string' && /^#(?:\/|$)/.test($ref);
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    key === 'enum' || key === 'const' ? member : withinDocument(member),
  ]);
  const whole = Object.fromEntries(entries);
  return moved ? { ...whole, $ref: COMPONENT + $ref.slice(1) } : whole;
}
