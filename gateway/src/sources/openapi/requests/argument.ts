import { type ArgumentPlace, assignArgumentNames } from '../../../operations/arguments.ts';
import type {
  Binding,
  BodyBinding,
  Json,
  JsonObject,
  JsonSchema,
  ParameterBinding,
} from '../../../operations/index.ts';
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

const ORDER: readonly ArgumentPlace[] = ['path', 'query', 'querystring', 'header', 'cookie', 'body'];

/** One flat object of arguments and the bindings that take it apart again. */
export function assembleInput(
  parts: readonly RequestPart[],
  converter: SchemaConverter,
): { readonly input: JsonSchema; readonly bindings: readonly Binding[] } {
  const sorted = parts.toSorted((a, b) => ORDER.indexOf(a.place) - ORDER.indexOf(b.place));
  const shown = sorted.filter((part) => part.constant === undefined);
  const names = assignArgumentNames(shown);
  const properties: JsonObject = {};
  const required: string[] = [];
  const uses = new Set<string>();
  const argument = new Map<RequestPart, string>();
  for (const [index, part] of shown.entries()) {
    const name = names[index]!;
    argument.set(part, name);
    properties[name] = part.schema;
    if (part.required) required.push(name);
    for (const use of part.uses) uses.add(use);
  }
  const bindings = sorted.map((part) => {
    const name = argument.get(part);
    const value = name === undefined ? { const: part.constant! } : { arg: name };
    return { ...value, ...part.binding } as Binding;
  });
  const definitions = converter.definitions(uses);
  const input: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
  return { input, bindings };
}
