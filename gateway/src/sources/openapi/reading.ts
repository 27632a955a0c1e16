import type { JsonObject, JsonSchema, SecurityScheme } from '../../operations/index.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import type { HintReading } from './hints.ts';
import type { OpenApiOptions } from './options.ts';
import type { References } from './read/references.ts';
import type { RequestPart } from './requests/argument.ts';
import type { RequirementReading } from './requirements.ts';
import type { SchemaConverter } from './schemas/converter.ts';
import type { SpecificationVersion } from './version.ts';

/** What every part of the compiler needs while it reads one document. */
export interface Reading {
  readonly root: JsonObject;
  /** Where the document stands. */
  readonly url: string;
  readonly version: SpecificationVersion;
  readonly options: OpenApiOptions;
  readonly references: References;
  readonly log: DiagnosticLog;
  readonly request: SchemaConverter;
  readonly response: SchemaConverter;
  readonly hints: HintReading;
  readonly requirements: RequirementReading;
  /** Schemes by `place:name`, lower case, of every apiKey: credentials, never arguments. */
  readonly secrets: ReadonlyMap<string, readonly [string, ...string[]]>;
  /** Schemes whose credential goes into the header Authorization; undefined: no parameter speaks of one. */
  readonly authorization: readonly string[] | undefined;
  /** Schemes that no scheme of the document describes, but a parameter. */
  readonly statedSchemes: Record<string, SecurityScheme>;
  /** `header:name` in lower case and `query:name` of what the configuration sends: no arguments either. */
  readonly fixed: ReadonlySet<string>;
  /** Parameters that were prepared already, by their node. */
  readonly parameters: Map<object, RequestPart | undefined>;
  /** Headers that name the version of what is at a path, by path item. */
  readonly versions: Map<object, readonly string[]>;
  /** Output schemas that were made already, by reference. */
  readonly outputs: Map<string, ResponseOutput>;
}

/** How a result is published. */
export interface ResponseOutput {
  readonly output?: JsonSchema;
  /** The result is shown as `{ "result": … }`. */
  readonly wrapsResult: boolean;
}
