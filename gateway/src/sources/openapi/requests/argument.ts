import type {
  Binding,
  BodyBinding,
  Json,
  JsonObject,
  JsonSchema,
  ParameterBinding,
} from '../../../operations/index.ts';
import { type ArgumentPlace, assignArgumentNames } from '../../../operations/invocation/arguments.ts';
import type { SchemaConverter } from '../schemas/converter.ts';

type WithoutValue<B> = Omit<B, 'arg' | 'const'>;

/** One part of the request before arguments have names. */
export interface RequestPart {
  readonly place: ArgumentPlace;
  /** What the argument would like to be called. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Definitions that the schema names. */
  readonly uses: ReadonlySet<string>;
  /** Sent without asking. */
  readonly constant?: Json;
  readonly binding: WithoutValue<ParameterBinding> | WithoutValue<BodyBinding>;
}

const ORDER: Readonly<Record<ArgumentPlace, number>> = {
  path: 0,
  query: 1,
  querystring: 2,
  header: 3,
  cookie: 4,
  body: 5,
};

/** One flat object of arguments and the bindings that take it apart again. */
export function assembleInput(
  parts: readonly RequestPart[],
  converter: SchemaConverter,
): { readonly input: JsonSchema; readonly bindings: readonly Binding[] } {
  const sorted = parts.toSorted((a, b) => ORDER[a.place] - ORDER[b.place]);
  const shown = sorted.filter((part) => part.constant === undefined);
  const names = assignArgumentNames(shown);
  const properties: JsonObject = {};
  const required: string[] = [];
  const uses = new Set<string>();
  const bindings: Binding[] = [];
  let index = 0;
  for (const part of sorted) {
    if (part.constant !== undefined) {
      bindings.push({ const: part.constant, ...part.binding } as Binding);
      continue;
    }
    const name = names[index++]!;
    properties[name] = part.schema;
    if (part.required) required.push(name);
    for (const use of part.uses) uses.add(use);
    bindings.push({ arg: name, ...part.binding } as Binding);
  }
  const definitions = converter.definitions(uses);
  const input: JsonSchema = { type: 'object', properties };
  if (required.length > 0) input.required = required;
  input.additionalProperties = false;
  if (definitions !== undefined) input.$defs = definitions;
  return { input, bindings };
}
