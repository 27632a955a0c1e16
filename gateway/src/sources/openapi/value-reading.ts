import type { HintReader } from '../../hints/index.ts';
import type { JsonObject } from '../../operations/index.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import { HintReading } from './hints.ts';
import { resolveOptions } from './options.ts';
import { References } from './read/references.ts';
import type { Reading } from './reading.ts';
import { RequirementReading } from './requirements.ts';
import { SchemaConverter } from './schemas/converter.ts';
import type { SchemaDialect } from './schemas/schema-dialect.ts';
import { readSecuritySchemes, secretParameters } from './security.ts';
import { readVersion } from './version.ts';

export interface ValueReadingOptions {
  /** For messages. */
  readonly location: string;
  readonly log: DiagnosticLog;
  /** Extensions of requests and of answers. */
  readonly dialects?: { readonly request: SchemaDialect; readonly response: SchemaDialect };
  readonly hintReaders?: readonly HintReader[];
}

/**
 * A reading of a document that is a value already and refers to no other; `compileOperation` takes it. Throws
 * `source_invalid` for what is neither Swagger 2.0 nor OpenAPI 3.
 */
export function readingOfValue(root: JsonObject, options: ValueReadingOptions): Reading {
  const { location, log, dialects, hintReaders } = options;
  const version = readVersion(root, location);
  const references = new References(root, new Map(), (reference) => reference);
  const schemes = readSecuritySchemes(root, version, references, log);
  const siblings = version.jsonSchema;
  return {
    root,
    url: location,
    version,
    options: resolveOptions(location),
    references,
    log,
    request: new SchemaConverter(references, log, 'request', siblings, dialects?.request),
    response: new SchemaConverter(references, log, 'response', siblings, dialects?.response),
    hints: HintReading.ofDocument(hintReaders, log),
    requirements: new RequirementReading(undefined, schemes, log),
    secrets: secretParameters(schemes),
    authorization: undefined,
    statedSchemes: {},
    fixed: new Set(),
    parameters: new Map(),
    versions: new Map(),
    outputs: new Map(),
  };
}
